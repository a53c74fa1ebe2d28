// ValueUses: sums up how many bytes the entries of a tree refer to, per value extent.
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
  // `salts` and `list_chunks` may be null. `salts` caches the salts of value extents, so that not
  // every extent's header has to be read.
  ValueUses(const Pool* pool, Extents* salts, ChunkLister list_chunks)
      : pool_(pool),
        salts_(salts),
        list_chunks_(list_chunks),
        extent_bits_(std::countr_zero(pool->extent_size())) {}

  // Counts the value that `reference` leads to. Returns Corruption that names the pool offset if
  // the value does not lie in a value extent.
  Status Add(const ValueRef& reference);

  // Returns what was counted, ordered by extent.
  std::vector<ValueExtentUse> Sorted() const;

 private:
  Status AddPiece(PoolOffset pool_offset, uint64_t bytes);
  Status AddExtent(size_t index);
  Status FindSalt(PoolOffset extent, uint64_t* salt) const;

  const Pool* const pool_;
  Extents* const salts_;
  const ChunkLister list_chunks_;
  const int extent_bits_;             // an extent has 1 << extent_bits_ bytes
  std::vector<ValueExtentUse> uses_;  // in the order in which the extents were first used
  // Maps the extent's index in the pool to the number of its use in uses_, plus 1; 0: none.
  std::vector<uint32_t> numbers_;
  std::vector<ValuePiece> pieces_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_VALUE_USES_H_
