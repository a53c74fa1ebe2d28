// JobNumbers tracks the file numbers that running jobs may hold.
//
// Concurrent jobs take the numbers of their tables and trees before they write their edits. A
// repair uses the first next-file number of a manifest: a table or tree with this number or a
// higher one that the manifest neither names nor has dropped belongs to an edit that is lost. So a
// manifest that is begun while jobs run begins with the lowest number that one of them may hold,
// and with the tables and trees from that number on that have been dropped.
#ifndef BUSHSTORE_DB_VERSION_JOB_NUMBERS_H_
#define BUSHSTORE_DB_VERSION_JOB_NUMBERS_H_

#include <cstdint>
#include <map>
#include <set>

#include "db/version/version_edit.h"

namespace leveldb {

// Not thread-safe; guarded by the owner.
class JobNumbers {
 public:
  using Ticket = std::multiset<uint64_t>::const_iterator;

  // Registers a job. All numbers that it takes are at least `next_number`, which never decreases.
  Ticket Begin(uint64_t next_number) { return begun_at_.insert(next_number); }
  // Unregisters a job: the manifest names its outputs by now, or never will.
  void End(Ticket ticket) { begun_at_.erase(ticket); }

  // Records that an edit is in the manifest.
  void NoteInstalled(const VersionEdit& edit);
  // Records that an edit could not be written, so that no manifest begun after it contains it.
  void NoteFailed(const VersionEdit& edit);

  // Adds to the first edit of a manifest the lowest number, and the tables and, if the database
  // keeps its tier, the trees from that number on that have been dropped.
  void AddTo(uint64_t next_number, bool with_tier, VersionEdit* beginning) const;

 private:
  uint64_t Lowest(uint64_t next_number) const;
  void ForgetTheOld();

  std::multiset<uint64_t> begun_at_;        // the numbers at which the running jobs began
  std::map<uint64_t, int> tables_, trees_;  // dropped: number, last level
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_JOB_NUMBERS_H_
