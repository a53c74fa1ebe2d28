// Finds the bad blocks of a pool: units of 512 bytes that the device can no longer read. The kernel
// lists them; an access to one in a mapping raises SIGBUS.
#ifndef BUSHSTORE_PMEM_MEDIA_BAD_BLOCKS_H_
#define BUSHSTORE_PMEM_MEDIA_BAD_BLOCKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

class PoolFiles;

// A half-open range of bytes: [begin, end).
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  friend bool operator==(const ByteRange& a, const ByteRange& b) = default;
};

// Returns true if [begin, begin + n) overlaps one of the ranges.
bool Overlaps(const std::vector<ByteRange>& ranges, uint64_t begin, uint64_t n);

// Parses one of the kernel's lists of bad blocks: one line for each range, with its first block and
// its number of blocks. Skips other lines.
std::vector<ByteRange> ParseBadBlocks(const std::string& text);

// A part of a file that is contiguous on the device.
struct FilePiece {
  uint64_t at = 0;         // offset in the file
  uint64_t on_device = 0;  // offset in the device
  uint64_t bytes = 0;
};

// Returns where the bad ranges of a device are in a file that consists of these pieces, sorted.
std::vector<ByteRange> InFile(const std::vector<FilePiece>& pieces,
                              const std::vector<ByteRange>& on_device);

// Finds the pool's bad blocks, as ranges of pool offsets: whole pages, because a page with a bad
// block cannot be mapped, sorted and not overlapping. Finds none where the kernel lists none or has
// no list for the device. IOError if the device has bad blocks and it cannot be determined whether
// the pool has them.
Status FindBadRanges(const PoolFiles& files, std::vector<ByteRange>* ranges);

// Returns the number of bad blocks of a DAX device of `bytes` bytes; 0 if it cannot be determined.
uint64_t BadBlocksOfDaxDevice(const std::string& path, uint64_t bytes);

// For tests: as long as one exists, FindBadRanges returns its ranges for every pool.
class PretendedBadRanges {
 public:
  explicit PretendedBadRanges(std::vector<ByteRange> ranges);
  ~PretendedBadRanges();
  PretendedBadRanges(const PretendedBadRanges&) = delete;
  PretendedBadRanges& operator=(const PretendedBadRanges&) = delete;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_BAD_BLOCKS_H_
