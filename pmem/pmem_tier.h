// The persistent-memory tier of one database: the face of everything under pmem/.
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
  // Values of at least so many bytes are written once, to value extents, and referred to.
  uint64_t value_separation_bytes = 256;
  // At most so many bytes of acknowledged writes are not yet fenced; 0: none.
  uint64_t wal_persist_bytes = 0;
  // A value extent of which at least this share is garbage is swept.
  double gc_ratio = 0.5;
  // Trees, memtables and merges are sized from measured speeds.
  bool dynamic_tree = true;
  // The tier spills to tables from this share of the pool on, down to the other.
  bool spill = true;
  double spill_start = 0.85;
  double spill_stop = 0.70;
  // How large the trees' own filters are, under the bytewise comparator.
  int filter_bits_per_key = 10;

  // For so many values it is remembered where they lie, in eight bytes of DRAM each
  // (value_hints.h).
  uint64_t hinted_values = uint64_t{1} << 16;

  // How much is filled of the part of the pool beyond spill_start (0 to 1), when `use` of the whole
  // is taken (0 to 1). The nearer to 1, the closer the pool is to its end.
  double FilledBeyondSpillStart(double use) const {
    use = std::min(use, 1.0);
    return use <= spill_start ? 0 : (use - spill_start) / (1 - spill_start);
  }
};

// Thread-safe as far as its parts are. Outlives every version, view and memtable that holds its
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

  // What trees are made and opened with. `comparator` and `user_filter` (a policy over internal
  // keys, or null) must outlive them.
  TreeContext MakeTreeContext(const InternalKeyComparator* comparator,
                              const FilterPolicy* user_filter);

  // Gives back the extents of trees that are not read any more.
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
