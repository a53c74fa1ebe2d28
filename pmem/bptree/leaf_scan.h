// LeafScan: finds the leaves of a tree whose footer or index is damaged.
//
// Only those two name the leaves, but a leaf identifies itself: its checksum covers the tree's
// salt, its pool offset and everything in it. So the scan looks for headers of the tree's runs in
// all extents of the pool, and for a leaf at every multiple of kLeafUnit in these runs. Bytes left
// from an earlier use of the extent or from another tree have another salt; those of a value in a
// damaged leaf have none.
//
// A run whose own header is damaged as well is not found: nothing distinguishes its bytes reliably
// from those of other runs, and the whole pool would have to be read.
#ifndef BUSHSTORE_PMEM_BPTREE_LEAF_SCAN_H_
#define BUSHSTORE_PMEM_BPTREE_LEAF_SCAN_H_

#include <cstdint>

#include "pmem/bptree/node_layout.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

// Used by one thread. Trusts no bytes before their checksum has been verified, and never reads
// outside the pool's extents. Uses a negligible amount of memory.
class LeafScan {
 public:
  // Scans for leaves of the tree with that number and salt. The pool must outlive the object.
  LeafScan(const Pool* pool, uint64_t number, uint64_t salt)
      : pool_(*pool), number_(number), salt_(salt) {}

  // Advances to the next sound leaf, in order of pool offsets, which need not be key order. Returns
  // false if there are no more.
  bool Next();

  // REQUIRES: the last Next() returned true.
  const LeafView& leaf() const { return leaf_; }
  PoolOffset pool_offset() const { return pool_offset_; }
  // Returns how many bytes were skipped before the leaf, in its run. As leaves are written without
  // gaps, these are damaged. The bytes after the last leaf of a run may be anything.
  uint64_t gap_bytes() const { return gap_bytes_; }

 private:
  bool EnterNextRun();
  bool OpenLeaf();

  const Pool& pool_;
  const uint64_t number_;
  const uint64_t salt_;
  PoolOffset next_run_ = 0;          // where to look for the next one
  PoolOffset next_ = kNoPoolOffset;  // where to look for the next leaf, up to end_
  PoolOffset end_ = kNoPoolOffset;
  uint64_t long_bytes_left_ = 0;
  LeafView leaf_;
  PoolOffset pool_offset_ = kNoPoolOffset;
  uint64_t gap_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_LEAF_SCAN_H_
