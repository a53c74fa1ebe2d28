// Takes bad pages out of a mapping that can be divided only at multiples of a unit, such as that of
// a DAX device.
#ifndef BUSHSTORE_PMEM_MEDIA_BLANK_UNITS_H_
#define BUSHSTORE_PMEM_MEDIA_BLANK_UNITS_H_

#include <cstdint>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/bad_blocks.h"

namespace leveldb {

// Replaces each unit of base[0, end) that overlaps one of the ranges by anonymous memory: zeros for
// the bad pages, a copy of the others. The ranges are whole pages. `base` and the mapping there are
// aligned to the unit; `end` may cut the last unit short. Reads no byte of the ranges.
Status BlankInUnits(char* base, uint64_t end, uint64_t unit,
                    const std::vector<ByteRange>& bad_ranges);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_BLANK_UNITS_H_
