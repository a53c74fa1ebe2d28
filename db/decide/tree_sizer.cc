#include "db/decide/tree_sizer.h"

#include <algorithm>

namespace leveldb {

namespace {

// The time of flushing and merging a memtable as a share of the time in which it fills: above the
// first value the sizes grow, below the second they shrink.
constexpr double kBusyShare = 0.8;
constexpr double kIdleShare = 0.4;

}  // namespace

TreeSizes NextTreeSizes(const TreeSizes& sizes, const TreeTimings& timings,
                        const TreeSizeLimits& limits) {
  if (timings.fill_micros == 0 || timings.flush_micros == 0 || timings.merge_micros == 0)
    return sizes;
  const double share = static_cast<double>(timings.flush_micros + timings.merge_micros) /
                       static_cast<double>(timings.fill_micros);
  const size_t least = limits.write_buffer_size;
  const size_t largest =
      std::max(least, std::min(kWriteBuffersPerMemtable * least, limits.memtable_bytes_max));
  TreeSizes next = sizes;
  next.extra_trees = std::min(next.extra_trees, limits.extra_trees_max);
  if (share > kBusyShare) {
    if (next.extra_trees < limits.extra_trees_max) {
      next.extra_trees++;
    } else {
      next.memtable_bytes = std::min(next.memtable_bytes + next.memtable_bytes / 4, largest);
    }
  } else if (share < kIdleShare) {
    if (next.memtable_bytes > least) {
      next.memtable_bytes = std::max(next.memtable_bytes - next.memtable_bytes / 4, least);
    } else {
      next.extra_trees = std::max(next.extra_trees - 1, 0);
    }
  }
  return next;
}

}  // namespace leveldb
