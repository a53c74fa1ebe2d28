// The bad blocks below a pool: pieces of 512 bytes that the device cannot read any more. The kernel
// lists them; touching one in a mapping is a SIGBUS.
#ifndef BUSHSTORE_PMEM_MEDIA_BAD_BLOCKS_H_
#define BUSHSTORE_PMEM_MEDIA_BAD_BLOCKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

class PoolFiles;

// [begin, end), in bytes.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  friend bool operator==(const ByteRange& a, const ByteRange& b) = default;
};

// Whether [begin, begin + n) has a byte in one of the ranges.
bool Overlaps(const std::vector<ByteRange>& ranges, uint64_t begin, uint64_t n);

// Reads a list of the kernel's: a line for each range, its first block and its number of blocks.
// Lines that are not that are left out.
std::vector<ByteRange> ParseBadBlocks(const std::string& text);

// A piece of a file that lies in one piece on the device.
struct FilePiece {
  uint64_t at = 0;         // in the file
  uint64_t on_device = 0;  // in the device
  uint64_t bytes = 0;
};

// Where the bad ranges of a device are in a file of these pieces, sorted.
std::vector<ByteRange> InFile(const std::vector<FilePiece>& pieces,
                              const std::vector<ByteRange>& on_device);

// Where the pool's bad blocks are, as places in the pool: whole pages, since a page with a bad
// block cannot be mapped, sorted and not overlapping. None where the kernel lists none, or knows no
// list for the device. IOError if there are bad blocks on the device and it cannot be found out
// whether the pool has them.
Status FindBadRanges(const PoolFiles& files, std::vector<ByteRange>* ranges);

// How many bad blocks a DAX device of so many bytes has; 0 where that cannot be found out.
uint64_t BadBlocksOfDaxDevice(const std::string& path, uint64_t bytes);

// For tests: as long as one lives, FindBadRanges says of every pool what it was given.
class PretendedBadRanges {
 public:
  explicit PretendedBadRanges(std::vector<ByteRange> ranges);
  ~PretendedBadRanges();
  PretendedBadRanges(const PretendedBadRanges&) = delete;
  PretendedBadRanges& operator=(const PretendedBadRanges&) = delete;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_BAD_BLOCKS_H_
