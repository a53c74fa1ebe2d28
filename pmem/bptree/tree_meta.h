// TreeMeta: the part of a tree that is not leaves, in DRAM and in the pool.
//
// In the pool it consists of a body, cut into pieces that are written wherever there is room, and
// the footer, which is contiguous and names the pieces. The manifest names the footer
// (tree_record.h).
//
//   footer
//     0  magic         fixed32   "BshT"
//     4  version       fixed32   1
//     8  pool          fixed64   the pool's id, folded
//    16  number        fixed64   these five as in the tree's record
//    24  salt          fixed64
//    32  entries       fixed64
//    40  leaf bytes    fixed64
//    48  user bytes    fixed64
//    56  leaves        fixed64
//    64  index bytes   fixed64   of the body's first part
//    72  filter blocks fixed64   of its second part; 0: no blocked Bloom filter
//    80  runs          fixed32
//    84  pieces        fixed32
//    88  runs          12 bytes each, in the order of their headers' positions:
//          begin       fixed64
//          length      fixed32   extents
//        pieces        16 bytes each, in the order of the body:
//          pool offset fixed64
//          bytes       fixed32
//          crc         fixed32   CRC-32C
//
//   body: index
//     value extents    varint64 count, then each, in ascending order:
//       index          varint64  pool offset / extent size
//       salt           fixed64
//       live bytes     varint64
//     leaves           each, in key order:
//       separator      of the leaf before and this one; none for the first
//         shared       varint32  bytes that its user key shares with the separator before
//         rest         varint32  further bytes << 1; the low bit: a trailer follows them
//         bytes
//         trailer      fixed64   as in an internal key; otherwise it is before all versions
//       size           varint64  in units << 1; the low bit: it is the first of the next run,
//                                otherwise it follows the leaf before
//       user bytes     varint64  of its entries
//     policy           length-prefixed name of the filter policy that made the leaf filters; empty:
//                      there are none
//     leaf filters     length-prefixed, one for each leaf
//   body: filter       blocks as in util/blocked_bloom_filter
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_META_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_META_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/leaf_hints.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/separators.h"
#include "pmem/bptree/tree_context.h"
#include "pmem/bptree/tree_filter.h"
#include "pmem/bptree/tree_record.h"
#include "pmem/bptree/tree_space.h"
#include "pmem/media/pool_offset.h"
#include "pmem/media/value_extent_use.h"

namespace leveldb {

// The pool offset and size of a leaf, packed into eight bytes.
class LeafSpot {
 public:
  static constexpr uint64_t kUnitsMax = (uint64_t{1} << 24) - 1;

  // REQUIRES: both are multiples of kLeafUnit, size is not 0 and at most kUnitsMax units.
  LeafSpot(PoolOffset pool_offset, uint64_t size)
      : packed_(pool_offset / kLeafUnit << 24 | size / kLeafUnit) {}

  PoolOffset pool_offset() const { return (packed_ >> 24) * kLeafUnit; }
  uint64_t size() const { return (packed_ & kUnitsMax) * kLeafUnit; }

 private:
  uint64_t packed_;
};

// Immutable once filled, except for hints; safe to share.
struct TreeMeta {
  TreeRecord record;
  std::vector<ExtentRun> runs;
  std::vector<ValueExtentUse> value_extents;  // in ascending order
  Separators separators;                      // between the leaves
  std::vector<LeafSpot> leaves;
  std::vector<uint64_t> user_bytes_before;  // of all leaves before each
  TreeFilter filter;
  LeafHints hints;         // none where keys are not ordered by their bytes
  size_t head_bytes = 0;   // of an average leaf: everything before the entries
  size_t value_bytes = 0;  // of values in extents, per entry; 0 where there are no hints

  uint64_t memory_bytes() const;

  // Return DamagedTree for this tree; the second adds the leaf's number and pool offset.
  Status Damaged(const Pool& pool, const std::string& what) const;
  Status DamagedLeaf(const Pool& pool, size_t leaf, const std::string& what) const;

  // Opens a leaf after checking its header and, with verify_checksum, all of it.
  // REQUIRES: leaf < leaves.size().
  Status OpenLeaf(const Pool& pool, size_t leaf, bool verify_checksum, LeafView* view) const;

  // Prefetches the head of a leaf.
  void PrefetchLeaf(const Pool& pool, size_t leaf) const;
  // Prefetches the head of a leaf in which one entry will be searched and its entries, or the first
  // of many: to find out which entry it is would take a cache miss first.
  void PrefetchSearchedLeaf(const Pool& pool, size_t leaf) const;
  // Does the same for a search of this key: prefetches only the entries that it may be, as far as
  // hints tell.
  void PrefetchSearchedLeaf(const Pool& pool, size_t leaf, const Slice& user_key) const;
  // Prefetches the value at `pool_offset`, or the first lines of a long one. `is_for_once`: it will
  // not be read again soon.
  void PrefetchValue(const Pool& pool, PoolOffset pool_offset, bool is_for_once) const;

 private:
  void PrefetchPart(const Pool& pool, size_t leaf, const LeafPart& part) const;
};

// Returns Corruption that begins with "tree #12 in pool ...: " and ends with `what`.
Status DamagedTree(const Pool& pool, const TreeRecord& record, const std::string& what);

// Reads the meta of the tree that `record` names. Returns Corruption if anything in it is damaged
// or does not match the record. Does not read the headers of extents.
Status ReadTreeMeta(const TreeContext& context, const TreeRecord& record,
                    std::unique_ptr<TreeMeta>* meta);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_META_H_
