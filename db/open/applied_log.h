// Determines whether a log that a database does not need can be removed.
#ifndef BUSHSTORE_DB_OPEN_APPLIED_LOG_H_
#define BUSHSTORE_DB_OPEN_APPLIED_LOG_H_

#include <cstdint>
#include <functional>
#include <string>

#include "db/files/table_cache.h"
#include "db/version/version.h"
#include "entry/internal_key.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// The newest version of a key in a database.
struct KnownVersion {
  bool is_known = false;
  SequenceNumber sequence = 0;
  ValueType type = kTypeDeletion;
  std::string value;  // of the version, or a reference to it

  // Takes over a version of the key, unless a version that is at least as new is known.
  void Note(const ParsedKey& version, const Slice& version_value);

  // Searches one table, and takes over a newer version found there.
  Status LookInto(TableCache* table_cache, const Comparator* comparator, uint64_t number,
                  uint64_t size, const LookupKey& key);
};

class AppliedLog {
 public:
  using FindNewest = std::function<Status(const LookupKey& key, KnownVersion* found)>;

  // `find` finds the newest version of a key; both pointers must outlive this object.
  AppliedLog(Env* env, const Comparator* comparator, FindNewest find);

  // Searches the tables and trees of `version`.
  AppliedLog(Env* env, TableCache* table_cache, VersionPtr version);

  // Returns whether the database has, for every key in the log at `path`, the last write in the log
  // or a newer one. Also returns false if the log has damage other than a tail torn by a crash, and
  // if the answer cannot be determined.
  //
  // A log that was flushed is applied. A log whose keys have been deleted since, and whose
  // deletions have been dropped by compactions, may be reported as not applied.
  bool IsApplied(const std::string& path) const;

 private:
  Env* const env_;
  const Comparator* const comparator_;
  const FindNewest find_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_APPLIED_LOG_H_
