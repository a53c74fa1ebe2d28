// Reads values that a reference leads to. References come from media: every place is checked
// against the pool before anything is read there.
#ifndef BUSHSTORE_PMEM_VALUE_VALUE_READER_H_
#define BUSHSTORE_PMEM_VALUE_VALUE_READER_H_

#include <string>
#include <vector>

#include "entry/value_ref.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/media/pool.h"
#include "pmem/media/value_extent_use.h"

namespace leveldb {

// All of them are thread-safe, and return Corruption, naming the place, if the reference leads out
// of the pool's extents, its list of chunks is damaged or, where checksums are verified, the bytes
// are not those that were written. The caller holds the extents that are referred to.

// Sets *value to the value.
Status ReadValue(const Pool& pool, const ValueRef& reference, bool verify_checksum,
                 std::string* value);

// The same without a copy where the value lies in one piece: *value then points into the pool, as
// long as its extent is held. Otherwise it points into *scratch.
Status ReadValueInPlace(const Pool& pool, const ValueRef& reference, bool verify_checksum,
                        Slice* value, std::string* scratch);

// Looks whether the value is there, and whole, by its checksum.
Status CheckValue(const Pool& pool, const ValueRef& reference);

// Appends where the bytes of the value lie: one piece for each chunk and one for their list, or
// the one piece of a value without chunks, if it is not empty.
Status ListValuePieces(const Pool& pool, const ValueRef& reference,
                       std::vector<ValuePiece>* pieces);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_VALUE_VALUE_READER_H_
