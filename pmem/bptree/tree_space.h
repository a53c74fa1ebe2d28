// TreeSpace: the extents that a tree under construction writes to.
//
// Blocks are written one after the other in runs of extents. Each run begins with its header, and
// the first block follows at the next multiple of kLeafUnit.
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_SPACE_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "leveldb/status.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/media/extents.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

// A run of `length` adjacent extents, the first at `begin`.
struct ExtentRun {
  PoolOffset begin = kNoPoolOffset;
  uint32_t length = 0;

  bool operator==(const ExtentRun&) const = default;
};

// Used by one thread.
class TreeSpace {
 public:
  // Creates the space of the tree with that number and salt. Both pointers must outlive the object.
  TreeSpace(Pool* pool, Extents* extents, uint64_t number, uint64_t salt);

  // Forgets the extents unless they were handed over.
  ~TreeSpace();
  TreeSpace(const TreeSpace&) = delete;
  TreeSpace& operator=(const TreeSpace&) = delete;

  // Returns where the next block goes if it fits there; 0 before the first run.
  PoolOffset next() const { return next_; }
  // Returns the bytes from next() to the end of the run.
  uint64_t room() const { return end_ - next_; }

  // Takes `bytes`, a multiple of kLeafUnit, in one piece: at next(), or in a new run if there is
  // too little room.
  Status Take(uint64_t bytes, PoolOffset* pool_offset);

  // Returns the runs in the order in which they were reserved.
  const std::vector<ExtentRun>& runs() const { return runs_; }

  // Passes the references on the extents to the caller.
  void HandOver() { is_owner_ = false; }

 private:
  Status AddRun(uint64_t bytes);

  Pool* const pool_;
  Extents* const extents_;
  const uint64_t number_;
  const uint64_t salt_;
  bool is_owner_ = true;
  std::vector<ExtentRun> runs_;
  PoolOffset next_ = kNoPoolOffset;
  PoolOffset end_ = kNoPoolOffset;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_SPACE_H_
