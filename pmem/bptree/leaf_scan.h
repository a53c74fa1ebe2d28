// LeafScan: finds the leaves of a tree whose fence block or index is damaged.
//
// Only the two say where leaves are, but a leaf proves by itself what it is: its checksum covers
// the tree's salt, its place and everything in it. So all extents of the pool are asked for runs of
// the tree, by their headers, and every multiple of kLeafUnit in these for a leaf. Bytes of an
// earlier life or of another tree have another salt, those of a value in a damaged leaf have none.
//
// A run whose own header is damaged, too, is not found: nothing but luck would tell its bytes from
// those of others, and each pool would have to be read from end to end.
#ifndef BUSHSTORE_PMEM_BPTREE_LEAF_SCAN_H_
#define BUSHSTORE_PMEM_BPTREE_LEAF_SCAN_H_

#include <cstdint>

#include "pmem/bptree/node_layout.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

// Used by one thread. Nothing that is read is believed before its checksum is right, and no access
// leaves the extents of the pool. Takes no memory to speak of.
class LeafScan {
 public:
  // Scans the leaves of the tree of that number and salt. The pool must outlive the object.
  LeafScan(const Pool* pool, uint64_t number, uint64_t salt)
      : pool_(*pool), number_(number), salt_(salt) {}

  // Goes to the next sound leaf, in the order of places, which need not be that of keys. False if
  // there is no more.
  bool Next();

  // REQUIRES: the last Next() returned true.
  const LeafView& leaf() const { return leaf_; }
  PoolOffset pool_offset() const { return pool_offset_; }
  // What was passed over in front of the leaf, in its run. As leaves are written without gaps, this
  // is damage. What lies behind the last leaf of a run may be anything.
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
