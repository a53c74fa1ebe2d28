// Gives entries their values back: what an entry holds is the value itself or, with the
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
  // For a database without the tier: references are damage.
  ValueResolver() = default;

  // `pool` is not owned and must outlive the resolver. With `verify_checksums` every value is held
  // against the checksum in its reference.
  ValueResolver(const Pool* pool, bool verify_checksums)
      : pool_(pool), verify_checksums_(verify_checksums) {}

  bool has_pool() const { return pool_ != nullptr; }

  // Corruption if the pool has lost a page: what was read of it since may be zeros.
  Status CheckPool() const;

  // Copies the value of an entry that is no tombstone. `content` is what the entry holds.
  Status Copy(ValueType type, const Slice& content, std::string* value) const;

  // The same without a copy where the value is in one piece: `*value` points into `content`, into
  // the pool, or into `*scratch`. Unless checksums are verified, a value in one piece is not read.
  Status View(ValueType type, const Slice& content, Slice* value, std::string* scratch) const;

 private:
  const Pool* pool_ = nullptr;
  bool verify_checksums_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_VALUE_RESOLVE_H_
