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

struct TreeSizes {
  size_t memtable_bytes = 0;  // keys and values
  int merge_width = 0;        // trees of level 0 that make a merge due

  friend bool operator==(const TreeSizes& a, const TreeSizes& b) = default;
};

// What was measured of late, per memtable. 0: not known yet.
struct TreePace {
  uint64_t fill_micros = 0;  // from one memtable switch to the next
  uint64_t flush_micros = 0;
  uint64_t merge_micros = 0;  // of merges, divided by the trees of level 0 that they took
};

// The sizes to begin with, and to stay with if they are not to change.
TreeSizes FixedTreeSizes(size_t write_buffer_size);

// The sizes to go on with. `write_buffer_size` is what memtables have when there is time to spare;
// they never grow beyond twice that, nor beyond `memtable_bytes_max`.
TreeSizes NextTreeSizes(const TreeSizes& sizes, const TreePace& pace, size_t write_buffer_size,
                        size_t memtable_bytes_max);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_TREE_SIZER_H_
