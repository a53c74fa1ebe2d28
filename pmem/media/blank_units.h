// Takes bad pages out of a mapping that can be divided into whole units only, as those of DAX
// devices.
#ifndef BUSHSTORE_PMEM_MEDIA_BLANK_UNITS_H_
#define BUSHSTORE_PMEM_MEDIA_BLANK_UNITS_H_

#include <cstdint>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/bad_blocks.h"

namespace leveldb {

// Puts memory in the place of each unit of base[0, end) that has a byte in one of the ranges, which
// are whole pages: zeros for the bad pages, a copy of the others. `base` is aligned to the unit,
// and so is what is mapped there; the last unit may be cut short by `end`. No byte of the ranges is
// read.
Status BlankInUnits(char* base, uint64_t end, uint64_t unit,
                    const std::vector<ByteRange>& bad_ranges);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_BLANK_UNITS_H_
