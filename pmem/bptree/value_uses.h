// ValueUses: sums up what the entries of a tree refer to, by value extent.
#ifndef BUSHSTORE_PMEM_BPTREE_VALUE_USES_H_
#define BUSHSTORE_PMEM_BPTREE_VALUE_USES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entry/value_ref.h"
#include "leveldb/status.h"
#include "pmem/bptree/tree_context.h"
#include "pmem/media/extents.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"
#include "pmem/media/value_extent_use.h"

namespace leveldb {

// Used by one thread.
class ValueUses {
 public:
  // Both may be null: `list_chunks`, and `salts`, which knows what need not be read from an extent,
  // and learns what is.
  ValueUses(const Pool* pool, Extents* salts, ChunkLister list_chunks)
      : pool_(pool),
        salts_(salts),
        list_chunks_(list_chunks),
        extent_bits_(std::countr_zero(pool->extent_size())) {}

  // Counts the value that `reference` leads to. Corruption, naming the place, if it does not lie in
  // a value extent.
  Status Add(const ValueRef& reference);

  // What was counted, by extent.
  std::vector<ValueExtentUse> Sorted() const;

 private:
  Status AddPiece(PoolOffset pool_offset, uint64_t bytes);
  Status AddExtent(size_t index);
  Status FindSalt(PoolOffset extent, uint64_t* salt) const;

  const Pool* const pool_;
  Extents* const salts_;
  const ChunkLister list_chunks_;
  const int extent_bits_;             // an extent has 1 << extent_bits_ bytes
  std::vector<ValueExtentUse> uses_;  // in the order in which they came up
  // By the extent's index in the pool, so far as one came up: its use's number in uses_, plus 1.
  std::vector<uint32_t> numbers_;
  std::vector<ValuePiece> pieces_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_VALUE_USES_H_
