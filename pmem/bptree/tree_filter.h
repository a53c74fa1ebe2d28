// TreeFilter: tells, from DRAM only, that a key is not in a tree.
//
// Where keys are ordered by their bytes it is one blocked Bloom filter over the hashes of all user
// keys (util/blocked_bloom_filter). Otherwise different bytes may be the same key, and only the
// caller's filter policy can compare them: if there is one, it makes a filter of the keys of each
// leaf, as it would of the keys of a table's block.
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_FILTER_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/filter_policy.h"
#include "leveldb/slice.h"
#include "util/blocked_bloom_filter.h"

namespace leveldb {

// Owns the blocks of a blocked Bloom filter, aligned to cache lines.
class FilterBlocks {
 public:
  FilterBlocks() = default;

  // Allocates `count` blocks, which the caller fills.
  explicit FilterBlocks(uint64_t count);

  char* data() { return bytes_.get(); }
  const char* data() const { return bytes_.get(); }
  uint64_t count() const { return count_; }
  size_t size() const { return count_ * BlockedBloomFilter::kBlockBytes; }

 private:
  static constexpr std::align_val_t kAlignment{BlockedBloomFilter::kBlockBytes};

  struct Free {
    void operator()(char* p) const { ::operator delete(p, kAlignment); }
  };

  std::unique_ptr<char[], Free> bytes_;
  uint64_t count_ = 0;
};

// The filters that the caller's policy made, one for each leaf.
struct LeafFilters {
  const FilterPolicy* policy = nullptr;  // null: there are none
  std::string bytes;
  std::vector<uint64_t> ends;  // of each leaf's filter in `bytes`

  Slice Of(size_t leaf) const {
    const uint64_t begin = leaf == 0 ? 0 : ends[leaf - 1];
    return Slice(bytes.data() + begin, ends[leaf] - begin);
  }
};

// Immutable once filled; safe to share.
class TreeFilter {
 public:
  TreeFilter() = default;  // every key may be in the tree
  explicit TreeFilter(FilterBlocks blocks) : blocks_(std::move(blocks)) {}
  explicit TreeFilter(LeafFilters filters) : leaf_filters_(std::move(filters)) {}

  // Uses HashKey64 of the user key.
  bool MayContain(uint64_t hash) const {
    return blocks_.count() == 0 ||
           BlockedBloomFilter::MayContain(blocks_.data(), blocks_.count(), hash);
  }
  void Prefetch(uint64_t hash) const {
    if (blocks_.count() != 0) BlockedBloomFilter::Prefetch(blocks_.data(), blocks_.count(), hash);
  }

  // Uses the policy's filter of the leaf that the key belongs to.
  bool LeafMayContain(size_t leaf, const Slice& internal_key) const {
    return leaf_filters_.policy == nullptr ||
           leaf_filters_.policy->KeyMayMatch(internal_key, leaf_filters_.Of(leaf));
  }

  uint64_t memory_bytes() const;

 private:
  FilterBlocks blocks_;
  LeafFilters leaf_filters_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_FILTER_H_
