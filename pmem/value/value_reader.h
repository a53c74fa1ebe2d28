// Reads the values that references refer to. References come from the medium, so every offset is
// checked against the pool before anything is read there.
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

// All functions are thread-safe, and return Corruption, naming the offset, if the reference refers
// to bytes outside the pool's extents, if its list of chunks is damaged or, where checksums are
// verified, if the bytes are not those that were written. The caller must hold the extents that are
// referred to.

// Sets *value to the value.
Status ReadValue(const Pool& pool, const ValueRef& reference, bool verify_checksum,
                 std::string* value);

// Same as ReadValue, but without a copy if the value is in one piece: *value then points into the
// pool, and is valid as long as its extent is held. Otherwise it points into *scratch.
Status ReadValueInPlace(const Pool& pool, const ValueRef& reference, bool verify_checksum,
                        Slice* value, std::string* scratch);

// Checks that the value is there and has the right checksum.
Status CheckValue(const Pool& pool, const ValueRef& reference);

// Appends the pieces that hold the bytes of the value: one for each chunk and one for their list,
// or the one piece of a value without chunks, if it is not empty.
Status ListValuePieces(const Pool& pool, const ValueRef& reference,
                       std::vector<ValuePiece>* pieces);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_VALUE_VALUE_READER_H_
