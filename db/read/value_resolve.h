// ValueResolver returns the values of entries: an entry holds the value itself or, with the
// persistent-memory tier, a reference to it.
#ifndef BUSHSTORE_DB_READ_VALUE_RESOLVE_H_
#define BUSHSTORE_DB_READ_VALUE_RESOLVE_H_

#include <string>

#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class Pool;

// Copied freely; thread-safe.
class ValueResolver {
 public:
  // For a database without the tier: a reference is corruption.
  ValueResolver() = default;

  // `pool` is not owned and must outlive the resolver. With `verify_checksums` every value is
  // verified against the checksum in its reference.
  ValueResolver(const Pool* pool, bool verify_checksums)
      : pool_(pool), verify_checksums_(verify_checksums) {}

  bool has_pool() const { return pool_ != nullptr; }

  // Returns Corruption if the pool has lost a page: what was read from it since may be zeros.
  Status CheckPool() const;

  // Copies the value of an entry that is not a tombstone. `content` is what the entry holds.
  Status Copy(ValueType type, const Slice& content, std::string* value) const;

  // Like Copy, but without a copy if the value is contiguous: `*value` points into `content`, into
  // the pool, or into `*scratch`. Unless checksums are verified, a contiguous value is not read.
  Status View(ValueType type, const Slice& content, Slice* value, std::string* scratch) const;

 private:
  const Pool* pool_ = nullptr;
  bool verify_checksums_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_VALUE_RESOLVE_H_
