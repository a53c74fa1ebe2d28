// Decides how large memtables, and hence the trees flushed from them, become, and how many of these
// trees one merge takes. A pure function of measured speeds.
//
// Memtables fill, are flushed, and a number of flushed trees is merged at a time. If flushing and
// merging a tree take longer than filling a memtable, writers end up waiting. A merge of more trees
// at once costs less per tree, because the level below is rewritten less often; so does a merge of
// larger trees. But every tree of level 0 costs each read, and a large memtable costs memory, so
// both sizes return to their initial values when flushes and merges leave enough time.

#ifndef BUSHSTORE_DB_DECIDE_TREE_SIZER_H_
#define BUSHSTORE_DB_DECIDE_TREE_SIZER_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

// The largest size of a memtable, in write buffers.
constexpr size_t kWriteBuffersPerMemtable = 2;

struct TreeSizes {
  size_t memtable_bytes = 0;  // keys and values
  int extra_trees = 0;        // that level 0 collects in addition before a merge is due

  friend bool operator==(const TreeSizes& a, const TreeSizes& b) = default;
};

// The latest measurements, per memtable. 0: not known yet.
struct TreeTimings {
  uint64_t fill_micros = 0;  // from one memtable switch to the next
  uint64_t flush_micros = 0;
  uint64_t merge_micros = 0;  // of a merge, divided by the trees of level 0 that it took
};

// The bounds of the sizes.
struct TreeSizeLimits {
  size_t write_buffer_size = 0;   // the initial and smallest size of memtables
  size_t memtable_bytes_max = 0;  // bounds their growth, as the constant above does
  int extra_trees_max = 0;
};

// Returns the sizes to use next. The initial sizes are write_buffer_size and no extra trees.
TreeSizes NextTreeSizes(const TreeSizes& sizes, const TreeTimings& timings,
                        const TreeSizeLimits& limits);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_TREE_SIZER_H_
