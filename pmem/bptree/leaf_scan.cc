#include "pmem/bptree/leaf_scan.h"

#include "pmem/media/extent_header.h"

namespace leveldb {

namespace {

// An upper bound of the size of leaves with several entries: those take at most one and a half
// times the fill size.
constexpr uint64_t kSharedLeafBytesMax = 2 * kLeafBytesMax;

// Bounds the time spent on hostile values. A value in a damaged leaf may look like a leaf at every
// unit, each as long as the rest of the run. The total size of long candidates that fail their
// checksum is limited to this many times the length of the run; damage alone adds up to about one.
constexpr uint64_t kLongLooksMax = 4;

}  // namespace

bool LeafScan::Next() {
  PoolOffset begin = next_;
  while (true) {
    while (next_ < end_) {
      if (OpenLeaf()) {
        pool_offset_ = next_;
        gap_bytes_ = next_ - begin;
        next_ += leaf_.size();
        return true;
      }
      next_ += kLeafUnit;
    }
    if (!EnterNextRun()) return false;
    begin = next_;
  }
}

bool LeafScan::EnterNextRun() {
  const uint64_t extent_size = pool_.extent_size();
  while (next_run_ < pool_.reserved_bytes()) {
    const PoolOffset run = next_run_;
    next_run_ += extent_size;
    ExtentHeader header;
    const bool is_own =
        pool_.Contains(run, ExtentHeader::kSize) && ReadExtentHeader(pool_, run, &header).ok() &&
        header.kind == ExtentKind::kTree && header.object == number_ && header.salt == salt_;
    if (!is_own) continue;
    const uint64_t bytes = header.length * extent_size;
    next_ = run + kLeafUnit;
    end_ = next_run_ = run + bytes;
    long_bytes_left_ = kLongLooksMax * bytes;
    return true;
  }
  return false;
}

// Opens the leaf at next_ and returns whether it is sound.
bool LeafScan::OpenLeaf() {
  const char* const data = pool_.At(next_);
  if (!leaf_.Open(data, end_ - next_)) return false;
  const uint64_t used = leaf_.used();
  const bool is_long = used > kSharedLeafBytesMax;
  if (is_long && (leaf_.count() > 1 || used > long_bytes_left_)) return false;
  if (!leaf_.IsIntact(salt_, next_)) {
    if (is_long) long_bytes_left_ -= used;
    return false;
  }
  return leaf_.Open(data, (used + kLeafUnit - 1) / kLeafUnit * kLeafUnit);
}

}  // namespace leveldb
