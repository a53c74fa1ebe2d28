// The file numbers that running jobs may hold.
//
// Jobs side by side take the numbers of their tables and trees before they write their edits. Who
// repairs a database tells by the first number of a manifest what that manifest has to know of: a
// table or tree from there on that it neither names nor has dropped belongs to an edit that is
// lost. So a manifest that is begun while jobs run begins with the lowest number that one of them
// may hold, and with what has been dropped from that number on.
#ifndef BUSHSTORE_DB_VERSION_JOB_NUMBERS_H_
#define BUSHSTORE_DB_VERSION_JOB_NUMBERS_H_

#include <cstdint>
#include <map>
#include <set>

#include "db/version/version_edit.h"

namespace leveldb {

// Guarded by whoever has it.
class JobNumbers {
 public:
  using Ticket = std::multiset<uint64_t>::const_iterator;

  // A job begins: all numbers that it takes are at least `next_number`, which never decreases.
  Ticket Begin(uint64_t next_number) { return begun_at_.insert(next_number); }
  // It has ended: the manifest knows of what it made, or nobody ever will.
  void End(Ticket ticket) { begun_at_.erase(ticket); }

  // An edit is in the manifest.
  void NoteInstalled(const VersionEdit& edit);
  // An edit could not be written, so that a manifest begun after it is without it for good.
  void NoteFailed(const VersionEdit& edit);

  // Adds to the first edit of a manifest: the lowest number, and which tables and, if the database
  // keeps its tier, which trees have been dropped from there on.
  void AddTo(uint64_t next_number, bool with_tier, VersionEdit* beginning) const;

 private:
  uint64_t Lowest(uint64_t next_number) const;
  void ForgetTheOld();

  std::multiset<uint64_t> begun_at_;        // of the running jobs
  std::map<uint64_t, int> tables_, trees_;  // dropped: number, last level
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_JOB_NUMBERS_H_
