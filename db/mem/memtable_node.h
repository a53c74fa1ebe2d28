// The nodes of the memtable's index, and how one is searched. Only the index includes this.
#ifndef BUSHSTORE_DB_MEM_MEMTABLE_NODE_H_
#define BUSHSTORE_DB_MEM_MEMTABLE_NODE_H_

#include <atomic>
#include <cassert>
#include <cstdint>

#include "db/mem/memtable_index.h"
#include "db/mem/permutation.h"
#include "util/key_bytes.h"
#include "util/prefetch.h"

namespace leveldb {

struct MemtableIndex::Node {
  std::atomic<uint64_t> permutation{kEmptyPermutation};
  uint32_t prefix_length;  // bytes that all user keys of the node's range share
  int32_t level;           // 0: leaf
  uint64_t digests[kSlots];
};

struct MemtableIndex::Leaf : Node {
  const char* keys[kSlots];  // its entries
  std::atomic<Leaf*> next{nullptr};
};

// children[slot] holds the keys at or after the separator in that slot; first_child the keys before
// all separators. A descent goes from digests to children, and looks at separators only where
// digests are equal: they come last, in lines that it does not need.
struct MemtableIndex::Inner : Node {
  std::atomic<Node*> first_child{nullptr};
  std::atomic<Node*> children[kSlots];
  const char* keys[kSlots];  // the separators, which are entries of leaves below
};

inline uint64_t MemtableIndex::Digest(const Slice& user_key, size_t prefix_length) const {
  if (!use_digests_) return 0;
  assert(user_key.size() >= prefix_length);
  return DigestOf(user_key.data(), user_key.size(), prefix_length);
}

inline int MemtableIndex::CompareWithEntry(const SearchKey& key, const char* entry) const {
  const int order = comparator_->CompareUserKeys(key.user_key, memtable_entry::UserKey(entry));
  if (order != 0) return order;
  const uint64_t trailer = memtable_entry::Trailer(entry);
  if (key.trailer == trailer) return 0;
  return key.trailer > trailer ? -1 : 1;
}

// The number of visible keys of `node` that are before `key`, or, if `equal_is_before`, not after.
template <class AnyNode>
int MemtableIndex::CountBefore(const AnyNode* node, uint64_t permutation, const SearchKey& key,
                               bool equal_is_before) const {
  int first = 0;
  int last = CountOf(permutation);
  if (use_digests_) {
    // Visible slots are the first ones, in any order: counting needs no permutation.
    const DigestRank rank =
        rank_digest_(node->digests, last, Digest(key.user_key, node->prefix_length));
    first = rank.smaller;
    last = rank.smaller + rank.equal;
  }
  while (first < last) {
    const int middle = (first + last) / 2;
    const int order = CompareWithEntry(key, node->keys[SlotOf(permutation, middle)]);
    if (order > 0 || (order == 0 && equal_is_before)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

inline MemtableIndex::Node* MemtableIndex::ChildAt(const Inner* inner, uint64_t permutation,
                                                   int rank) {
  const std::atomic<Node*>& child =
      rank < 0 ? inner->first_child : inner->children[SlotOf(permutation, rank)];
  return child.load(std::memory_order_acquire);
}

// The same, for the one who goes there next: asks for what a search looks at.
inline MemtableIndex::Node* MemtableIndex::NextDown(const Inner* inner, uint64_t permutation,
                                                    int rank) {
  Node* const node = ChildAt(inner, permutation, rank);
  PrefetchLine(node);
  PrefetchLine(reinterpret_cast<const char*>(node) + 64);
  PrefetchLine(reinterpret_cast<const char*>(node) + 128);
  PrefetchLine(reinterpret_cast<const char*>(node) + 192);
  return node;
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_MEMTABLE_NODE_H_
