// Separators: the inner nodes of a tree, in DRAM.
//
// n separators divide n + 1 children: child i holds the keys at or after separator i - 1 and before
// separator i. A separator is a user key, shortened where possible, and a trailer that gives its
// position among the versions of that key.
//
// Under the bytewise comparator a search usually reads no separator at all. The eight bytes after
// the prefix shared by all keys of a neighbourhood distinguish nearly all separators; these digests
// are kept, as numbers, in nodes of two cache lines:
//
//   node    prefix length | count | 15 digests          16 children each, on the bottom the leaves
//
// Node j of level 0 (the bottom) covers children 16j .. 16j+15, and node j of level l+1 covers
// nodes 16j .. 16j+15 of level l, so no pointers are needed, and entry r of node j on level l is
// the separator (16j + r + 1) * 16^l - 1. Every key that a search brings to a node lies between the
// separators left and right of it and so begins with the prefix that these share: that is the
// node's prefix.
#ifndef BUSHSTORE_PMEM_BPTREE_SEPARATORS_H_
#define BUSHSTORE_PMEM_BPTREE_SEPARATORS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/slice.h"

namespace leveldb {

// The trailer of a separator that is before all versions of its user key.
constexpr uint64_t kBeforeAllVersions = ~uint64_t{0};

// Filled by one thread, then immutable and safe to share.
class Separators {
 public:
  // Has no separators: everything is in child 0.
  Separators() = default;

  // Holds separators for keys from `low` to `high`, both included. `comparator` must outlive the
  // object.
  Separators(const InternalKeyComparator* comparator, const Slice& low, const Slice& high);

  // Adds a separator after all others. REQUIRES: low <= user_key <= high.
  void Append(const Slice& user_key, uint64_t trailer);

  // Builds the nodes. REQUIRES: called once, before the first Find, and nothing is added after.
  void Seal();

  size_t size() const { return starts_.size(); }

  // Returns the child for the internal key of this user key and trailer, which is the number of
  // separators at or before it. For a user key outside low .. high it returns an arbitrary child.
  size_t Find(const Slice& user_key, uint64_t trailer) const;

  // Return the parts of separator i. REQUIRES: i < size().
  std::string UserKey(size_t i) const;
  uint64_t Trailer(size_t i) const;

  // Returns the memory used beyond the object itself.
  uint64_t memory_bytes() const;

 private:
  static constexpr size_t kFanout = 16;
  static constexpr size_t kMaxLevels = 16;

  struct alignas(64) Node {
    uint32_t prefix_length;
    uint32_t count;
    uint64_t digests[kFanout - 1];  // ascending; those beyond `count` are all ones
  };
  static_assert(sizeof(Node) == 128);

  Slice Body(size_t i) const;
  bool IsAtOrBefore(size_t i, const Slice& user_key, uint64_t trailer) const;
  size_t FindByComparisons(const Slice& user_key, uint64_t trailer) const;
  size_t RankInNode(const Node& node, size_t level, size_t index, const Slice& user_key,
                    uint64_t trailer) const;
  void BuildLevel(size_t node_count, uint64_t stride);
  std::string BoundKey(uint64_t children_before) const;

  const InternalKeyComparator* comparator_ = nullptr;
  std::string low_;
  std::string high_;
  size_t prefix_length_ = 0;  // bytes shared by low_ and high_, left out of bytes_

  // Separator i begins at starts_[i] >> 1 of bytes_ and ends where the next begins. The low bit
  // tells that its last eight bytes are the trailer; otherwise the trailer is kBeforeAllVersions.
  std::string bytes_;
  std::vector<uint64_t> starts_;

  std::vector<Node> nodes_;  // level by level, the bottom first
  std::array<size_t, kMaxLevels> level_begin_{};
  size_t levels_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_SEPARATORS_H_
