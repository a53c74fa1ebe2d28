// The nodes of the memtable's index, and the search in a node. Included only by the index.
#ifndef BUSHSTORE_DB_MEM_MEMTABLE_NODE_H_
#define BUSHSTORE_DB_MEM_MEMTABLE_NODE_H_

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>

#include "db/mem/memtable_index.h"
#include "db/mem/permutation.h"
#include "util/key_bytes.h"
#include "util/prefetch.h"

namespace leveldb {

// The prefix that digests leave out.
struct MemtableIndex::Prefix {
  uint16_t length = 0;
  bool is_of_first = false;  // only the key in the first slot is known to have it
};

struct MemtableIndex::Node {
  std::atomic<uint64_t> permutation{kEmptyPermutation};
  Prefix prefix;
  int32_t level;  // 0: leaf
  alignas(16) int32_t digests[kDigestRoom];
};

struct MemtableIndex::Leaf : Node {
  const char* keys[kSlots];  // its entries
  std::atomic<Leaf*> next{nullptr};
};

// children[0] holds the keys before all separators; children[1 + slot] holds those at or after the
// separator in that slot. A descent goes from digests to children, and reads separators only if
// digests are equal: so the separators come last, in cache lines that a descent rarely needs.
struct MemtableIndex::Inner : Node {
  std::atomic<Node*> children[kSlots + 1];
  const char* keys[kSlots];  // the separators, which are entries of leaves below
};

// Returns four bytes after the prefix, as a number with the same order.
inline int32_t MemtableIndex::DigestBehind(const Slice& user_key, size_t prefix_length) {
  assert(user_key.size() >= prefix_length);
  uint32_t digest;
  if (user_key.size() >= kDigestBytes) {
    // Whether the digest reaches beyond the end of the key is unpredictable, so there is no branch:
    // load the last four bytes at most, and shift out those that belong to the prefix.
    const size_t at = std::min(prefix_length, user_key.size() - kDigestBytes);
    digest = static_cast<uint32_t>(uint64_t{LoadBigEndian32(user_key.data() + at)}
                                   << (8 * (prefix_length - at)));
  } else {
    digest = static_cast<uint32_t>(DigestOf(user_key.data(), user_key.size(), prefix_length) >> 32);
  }
  return static_cast<int32_t>(digest ^ (uint32_t{1} << 31));
}

// Returns the digest of a key for `node`, which has a key in its first slot.
template <class AnyNode>
inline int32_t MemtableIndex::Digest(const AnyNode& node, const Slice& user_key) const {
  if (!use_digests_) return 0;
  if (!node.prefix.is_of_first) return DigestBehind(user_key, node.prefix.length);
  return DigestBehindFirst(user_key, memtable_entry::UserKey(node.keys[0]), node.prefix.length);
}

// Returns the number of visible keys of `node` that are before `key`, or, if `equal_is_before`, not
// after. `digest` is the key's digest for this node.
template <class AnyNode>
inline int MemtableIndex::CountBefore(const AnyNode* node, uint64_t permutation, int32_t digest,
                                      const SearchKey& key, bool equal_is_before) const {
  const int count = CountOf(permutation);
  DigestRank unknown{0, count};
  // The visible slots are the first ones, in any order: counting needs no permutation.
  if (use_digests_) unknown = RankDigest(node->digests, count, digest);
  if (unknown.equal == 0) return unknown.smaller;
  return CountByKeys(node->keys, permutation, unknown, key, equal_is_before);
}

template <class AnyNode>
inline int MemtableIndex::CountBefore(const AnyNode* node, uint64_t permutation,
                                      const SearchKey& key, bool equal_is_before) const {
  // An inner node with a single child has no key, and thus no first key for the prefix.
  if (CountOf(permutation) == 0) return 0;
  return CountBefore(node, permutation, Digest(*node, key.user_key), key, equal_is_before);
}

// Returns the child after the separator of that rank; for rank -1 the first one.
inline MemtableIndex::Node* MemtableIndex::ChildAt(const Inner* inner, uint64_t permutation,
                                                   int rank) {
  return inner->children[SlotBehind(permutation, rank)].load(std::memory_order_acquire);
}

// Returns the same child and prefetches the lines that a search in it reads.
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
