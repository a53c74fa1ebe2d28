#include "pmem/pmem_tier.h"

#include <utility>

#include "pmem/value/value_reader.h"

namespace leveldb {

PmemTier::PmemTier(std::unique_ptr<Pool> pool, const PmemTierOptions& options)
    : pool_(std::move(pool)),
      options_(options),
      extents_(pool_.get()),
      value_hints_(options.hinted_values) {}

PmemTier::~PmemTier() = default;

TreeContext PmemTier::MakeTreeContext(const InternalKeyComparator* comparator,
                                      const FilterPolicy* user_filter) {
  TreeContext context;
  context.pool = pool_.get();
  context.extents = &extents_;
  context.comparator = comparator;
  context.user_filter = user_filter;
  context.retired = &retired_;
  context.value_hints = &value_hints_;
  context.list_chunks = &ListValuePieces;
  return context;
}

void PmemTier::ReleaseRetired() {
  for (const PoolOffset extent : retired_.TakeAll()) extents_.Forget(extent);
}

}  // namespace leveldb
