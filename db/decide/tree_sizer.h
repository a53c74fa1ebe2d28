// Decides how large memtables become, and so the trees flushed from them, and how many of those one
// merge takes. A pure function of measured speeds.
//
// Memtables fill, are flushed, and every so many flushed trees are merged. If flushing and merging
// a tree take longer than filling a memtable, writers end up waiting. A merge that takes more trees
// at once costs less for each, because the level below is written anew less often; so does a merge
// of larger trees. But every tree of level 0 costs each read, and a large memtable costs memory, so
// both return to where they began as soon as there is time to spare.

#ifndef BUSHSTORE_DB_DECIDE_TREE_SIZER_H_
#define BUSHSTORE_DB_DECIDE_TREE_SIZER_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

// A memtable grows to so many write buffers at most.
constexpr size_t kWriteBuffersPerMemtable = 2;

struct TreeSizes {
  size_t memtable_bytes = 0;  // keys and values
  int extra_trees = 0;        // of level 0, that are waited for before a merge is due

  friend bool operator==(const TreeSizes& a, const TreeSizes& b) = default;
};

// What was measured of late, per memtable. 0: not known yet.
struct TreeTimings {
  uint64_t fill_micros = 0;  // from one memtable switch to the next
  uint64_t flush_micros = 0;
  uint64_t merge_micros = 0;  // of merges, divided by the trees of level 0 that they took
};

// How far the sizes may go.
struct TreeSizeLimits {
  size_t write_buffer_size = 0;   // what memtables have when there is time to spare
  size_t memtable_bytes_max = 0;  // they never grow beyond that, nor beyond the constant above
  int extra_trees_max = 0;
};

// The sizes to go on with. Those to begin with are write_buffer_size and no extra trees.
TreeSizes NextTreeSizes(const TreeSizes& sizes, const TreeTimings& timings,
                        const TreeSizeLimits& limits);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_TREE_SIZER_H_
