// PmemTier: the persistent-memory tier of one database, and the interface to everything under
// pmem/.
#ifndef BUSHSTORE_PMEM_PMEM_TIER_H_
#define BUSHSTORE_PMEM_PMEM_TIER_H_

#include <algorithm>
#include <cstdint>
#include <memory>

#include "pmem/bptree/tree.h"
#include "pmem/bptree/value_hints.h"
#include "pmem/media/extents.h"
#include "pmem/media/pool.h"
#include "pmem/pmem_stats.h"

namespace leveldb {

class FilterPolicy;
class InternalKeyComparator;

struct PmemTierOptions {
  // Values of at least this many bytes are written once, to value extents, and referred to.
  uint64_t value_separation_bytes = 256;
  // At most this many bytes of acknowledged writes are not yet fenced; 0: none.
  uint64_t wal_persist_bytes = 0;
  // A value extent is garbage-collected if at least this share of it is garbage.
  double gc_ratio = 0.5;
  // Sizes trees, memtables and merges by measured speeds.
  bool dynamic_tree = true;
  // Spills (moves data from the tier to tables) from the share spill_start of the pool on, down to
  // spill_stop.
  bool spill = true;
  double spill_start = 0.85;
  double spill_stop = 0.70;
  // Bits per key of the trees' own filters, which are used under the bytewise comparator.
  int filter_bits_per_key = 10;

  // The number of values whose pool offsets are remembered, in eight bytes of DRAM each
  // (value_hints.h).
  uint64_t hinted_values = uint64_t{1} << 16;

  // Returns how much of the part of the pool beyond spill_start is filled (0 to 1), if `use` of the
  // whole pool is taken (0 to 1). At 1 the pool is full.
  double FilledBeyondSpillStart(double use) const {
    use = std::min(use, 1.0);
    return use <= spill_start ? 0 : (use - spill_start) / (1 - spill_start);
  }
};

// Thread-safe as far as its parts are. Must outlive every version, view and memtable that holds its
// extents.
class PmemTier {
 public:
  PmemTier(std::unique_ptr<Pool> pool, const PmemTierOptions& options);
  ~PmemTier();
  PmemTier(const PmemTier&) = delete;
  PmemTier& operator=(const PmemTier&) = delete;

  Pool* pool() const { return pool_.get(); }
  Persist* persist() const { return pool_->persist(); }
  Extents* extents() { return &extents_; }
  RetiredTrees* retired() { return &retired_; }
  const ValueHints& value_hints() const { return value_hints_; }
  const PmemTierOptions& options() const { return options_; }
  PmemStats* stats() { return &stats_; }

  // Returns the context with which trees are created and opened. `comparator` and `user_filter` (a
  // policy over internal keys, or null) must outlive the trees.
  TreeContext MakeTreeContext(const InternalKeyComparator* comparator,
                              const FilterPolicy* user_filter);

  // Releases the extents of trees that are no longer read.
  void ReleaseRetired();

 private:
  const std::unique_ptr<Pool> pool_;
  const PmemTierOptions options_;
  PmemStats stats_;
  Extents extents_;
  RetiredTrees retired_;
  ValueHints value_hints_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_PMEM_TIER_H_
