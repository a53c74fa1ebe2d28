#include "db/decide/tree_sizer.h"

#include <algorithm>

#include "db/decide/merge_picker.h"

namespace leveldb {

namespace {

// The widest merge stays below the number of trees at which writes are slowed down.
constexpr int kMaxMergeWidth = 7;

// The share of the time in which memtables fill that flushing and merging them takes: above the
// first there is too little to spare, below the second enough to go back.
constexpr double kBusyShare = 0.8;
constexpr double kIdleShare = 0.4;

}  // namespace

TreeSizes FixedTreeSizes(size_t write_buffer_size) {
  return {write_buffer_size, kLevel0MergeTrigger};
}

TreeSizes NextTreeSizes(const TreeSizes& sizes, const TreePace& pace, size_t write_buffer_size,
                        size_t memtable_bytes_max) {
  if (pace.fill_micros == 0 || pace.flush_micros == 0 || pace.merge_micros == 0) return sizes;
  const double share = static_cast<double>(pace.flush_micros + pace.merge_micros) /
                       static_cast<double>(pace.fill_micros);
  const size_t largest =
      std::max(write_buffer_size, std::min(2 * write_buffer_size, memtable_bytes_max));
  TreeSizes next = sizes;
  if (share > kBusyShare) {
    if (next.merge_width < kMaxMergeWidth) {
      next.merge_width++;
    } else {
      next.memtable_bytes = std::min(next.memtable_bytes + next.memtable_bytes / 4, largest);
    }
  } else if (share < kIdleShare) {
    if (next.memtable_bytes > write_buffer_size) {
      next.memtable_bytes =
          std::max(next.memtable_bytes - next.memtable_bytes / 4, write_buffer_size);
    } else {
      next.merge_width = std::max(next.merge_width - 1, kLevel0MergeTrigger);
    }
  }
  return next;
}

}  // namespace leveldb
