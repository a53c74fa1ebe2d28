// Tells whether a log that a database does not ask for can be removed.
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

// The newest version of a key that a database has.
struct KnownVersion {
  bool is_known = false;
  SequenceNumber sequence = 0;
  ValueType type = kTypeDeletion;
  std::string value;  // that the version sets, or a reference to it

  // Takes over a version of the key, unless one is known that is as new.
  void Note(const ParsedKey& version, const Slice& version_value);

  // Looks into one table, and takes over what is newer there.
  Status LookInto(TableCache* table_cache, const Comparator* comparator, uint64_t number,
                  uint64_t size, const LookupKey& key);
};

class AppliedLog {
 public:
  using FindNewest = std::function<Status(const LookupKey& key, KnownVersion* found)>;

  // `find` finds the newest version of a key; both pointers must outlive this object.
  AppliedLog(Env* env, const Comparator* comparator, FindNewest find);

  // In what the tables and trees of `version` have.
  AppliedLog(Env* env, TableCache* table_cache, VersionPtr version);

  // Whether of every key in the log at `path` the database has the last write that is in the log,
  // or a newer one. False also where the log has damage, other than an end that a crash has torn,
  // and where this cannot be found out.
  //
  // A log that was flushed is applied. One whose keys have been deleted since, and whose deletions
  // compactions have dropped, may count as not applied.
  bool IsApplied(const std::string& path) const;

 private:
  Env* const env_;
  const Comparator* const comparator_;
  const FindNewest find_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_APPLIED_LOG_H_
