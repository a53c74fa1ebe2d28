#include "db/mem/memtable_index.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "db/mem/memtable_node.h"
#include "util/prefetch.h"

namespace leveldb {

MemtableIndex::MemtableIndex(const InternalKeyComparator* comparator, Arena* arena)
    : comparator_(comparator), use_digests_(comparator->is_bytewise()), arena_(arena) {
  last_leaf_ = NewLeaf(Prefix());
  root_.store(last_leaf_, std::memory_order_release);
}

// ---- within a node -----------------------------------------------------------------------------

// Returns the digest of a key in a node of which only the first key is known to have the prefix.
int32_t MemtableIndex::DigestBehindFirst(const Slice& user_key, const Slice& first,
                                         size_t prefix_length) {
  const size_t length = std::min(prefix_length, first.size());
  const size_t comparable = std::min(length, user_key.size());
  const size_t shared = CommonPrefixLength(user_key.data(), first.data(), comparable);
  if (shared == length) return DigestBehind(user_key, length);
  const bool is_before = shared == user_key.size() || static_cast<uint8_t>(user_key[shared]) <
                                                          static_cast<uint8_t>(first[shared]);
  return is_before ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int32_t>::max();
}

int MemtableIndex::CompareWithEntry(const SearchKey& key, const char* entry) const {
  const int order = comparator_->CompareUserKeys(key.user_key, memtable_entry::UserKey(entry));
  if (order != 0) return order;
  const uint64_t trailer = memtable_entry::Trailer(entry);
  if (key.trailer == trailer) return 0;
  return key.trailer > trailer ? -1 : 1;
}

// Returns how many of a node's visible keys are before `key`, or, if `equal_is_before`, not after.
// `unknown` is the range of ranks that the digests leave undecided.
int MemtableIndex::CountByKeys(const char* const* keys, uint64_t permutation,
                               const DigestRank& unknown, const SearchKey& key,
                               bool equal_is_before) const {
  int first = unknown.smaller;
  int last = unknown.smaller + unknown.equal;
  while (first < last) {
    const int middle = (first + last) / 2;
    const int order = CompareWithEntry(key, keys[SlotOf(permutation, middle)]);
    if (order > 0 || (order == 0 && equal_is_before)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

// ---- search ------------------------------------------------------------------------------------

// Returns the position of the first entry at or after `key`; no leaf if there is none. If the key
// is after all entries of its leaf, the result is the first entry of the next leaf, unless that
// leaf was split off at the right edge since the descent: then the search is repeated.
MemtableIndex::Position MemtableIndex::FindPosition(const SearchKey& key) const {
  while (true) {
    const Node* node = root_.load(std::memory_order_acquire);
    while (node->level > 0) {
      const Inner* inner = static_cast<const Inner*>(node);
      const uint64_t permutation = inner->permutation.load(std::memory_order_acquire);
      const int rank = CountBefore(inner, permutation, key, /*equal_is_before=*/true) - 1;
      const Node* child = NextDown(inner, permutation, rank);
      if (inner->permutation.load(std::memory_order_acquire) == permutation) node = child;
    }
    const Leaf* leaf = static_cast<const Leaf*>(node);
    uint64_t permutation = leaf->permutation.load(std::memory_order_acquire);
    const int rank = CountBefore(leaf, permutation, key, /*equal_is_before=*/false);
    if (rank < CountOf(permutation)) return {leaf, permutation, rank};

    const Leaf* next = leaf->next.load(std::memory_order_acquire);
    if (next == nullptr) return {nullptr, kEmptyPermutation, 0};
    permutation = next->permutation.load(std::memory_order_acquire);
    if (CompareWithEntry(key, next->keys[SlotOf(permutation, 0)]) <= 0) {
      return {next, permutation, 0};
    }
  }
}

// Returns the last entry of the subtree; rank -1 if it has none, which is possible only for the
// root of an empty tree.
MemtableIndex::Position MemtableIndex::LastOf(const Node* node) {
  while (node->level > 0) {
    const Inner* inner = static_cast<const Inner*>(node);
    const uint64_t permutation = inner->permutation.load(std::memory_order_acquire);
    const int count = CountOf(permutation);
    const Node* child = ChildAt(inner, permutation, count - 1);
    if (inner->permutation.load(std::memory_order_acquire) == permutation) node = child;
  }
  const Leaf* leaf = static_cast<const Leaf*>(node);
  const uint64_t permutation = leaf->permutation.load(std::memory_order_acquire);
  return {leaf, permutation, CountOf(permutation) - 1};
}

// Returns the last entry before `key`; rank -1 if there is none. Remembers the nearest subtree to
// the left during the descent, in case the leaf has nothing before the key.
MemtableIndex::Position MemtableIndex::FindLastBefore(const SearchKey& key) const {
  const Node* node = root_.load(std::memory_order_acquire);
  const Node* left_subtree = nullptr;
  while (node->level > 0) {
    const Inner* inner = static_cast<const Inner*>(node);
    const uint64_t permutation = inner->permutation.load(std::memory_order_acquire);
    const int rank = CountBefore(inner, permutation, key, /*equal_is_before=*/false) - 1;
    const Node* left = rank >= 0 ? NextDown(inner, permutation, rank - 1) : left_subtree;
    const Node* child = NextDown(inner, permutation, rank);
    if (inner->permutation.load(std::memory_order_acquire) != permutation) continue;
    left_subtree = left;
    node = child;
  }
  const Leaf* leaf = static_cast<const Leaf*>(node);
  const uint64_t permutation = leaf->permutation.load(std::memory_order_acquire);
  const int rank = CountBefore(leaf, permutation, key, /*equal_is_before=*/false) - 1;
  if (rank >= 0 || left_subtree == nullptr) return {leaf, permutation, rank};
  return LastOf(left_subtree);
}

const char* MemtableIndex::FindFirstAtOrAfter(const Slice& internal_key) const {
  const Position at = FindPosition({ExtractUserKey(internal_key), ExtractTrailer(internal_key)});
  return at.leaf == nullptr ? nullptr : at.leaf->keys[SlotOf(at.permutation, at.rank)];
}

double MemtableIndex::ShareBefore(const Slice& internal_key) const {
  const SearchKey key{ExtractUserKey(internal_key), ExtractTrailer(internal_key)};
  double before = 0;
  double share = 1;  // of all entries, that is below `node`
  const Node* node = root_.load(std::memory_order_acquire);
  while (node->level > 0) {
    const Inner* inner = static_cast<const Inner*>(node);
    const uint64_t permutation = inner->permutation.load(std::memory_order_acquire);
    const int children_before = CountBefore(inner, permutation, key, /*equal_is_before=*/true);
    const Node* child = NextDown(inner, permutation, children_before - 1);
    if (inner->permutation.load(std::memory_order_acquire) != permutation) continue;
    share /= CountOf(permutation) + 1;
    before += share * children_before;
    node = child;
  }
  const Leaf* leaf = static_cast<const Leaf*>(node);
  const uint64_t permutation = leaf->permutation.load(std::memory_order_acquire);
  const int count = CountOf(permutation);
  if (count == 0) return before;
  return before + share * CountBefore(leaf, permutation, key, /*equal_is_before=*/false) / count;
}

void MemtableIndex::PrefetchForInsert(const Slice& user_key) const {
  FindPosition({user_key, PackTrailer(kMaxSequenceNumber, kSeekType)});
}

// ---- cursor ------------------------------------------------------------------------------------

const char* MemtableIndex::Cursor::entry() const {
  assert(Valid());
  return leaf_->keys[SlotOf(permutation_, rank_)];
}

void MemtableIndex::Cursor::MoveTo(const Position& position) {
  leaf_ = position.rank < 0 ? nullptr : position.leaf;
  permutation_ = position.permutation;
  rank_ = position.rank;
}

void MemtableIndex::Cursor::Seek(const Slice& internal_key) {
  MoveTo(index_->FindPosition({ExtractUserKey(internal_key), ExtractTrailer(internal_key)}));
}

void MemtableIndex::Cursor::SeekToFirst() {
  const Node* node = index_->root_.load(std::memory_order_acquire);
  while (node->level > 0) {
    node = static_cast<const Inner*>(node)->children[0].load(std::memory_order_acquire);
  }
  const Leaf* leaf = static_cast<const Leaf*>(node);
  const uint64_t permutation = leaf->permutation.load(std::memory_order_acquire);
  MoveTo({leaf, permutation, CountOf(permutation) > 0 ? 0 : -1});
}

void MemtableIndex::Cursor::SeekToLast() {
  MoveTo(LastOf(index_->root_.load(std::memory_order_acquire)));
}

void MemtableIndex::Cursor::Next() {
  assert(Valid());
  if (++rank_ < CountOf(permutation_)) return;
  leaf_ = leaf_->next.load(std::memory_order_acquire);
  if (leaf_ == nullptr) return;
  rank_ = 0;
  permutation_ = leaf_->permutation.load(std::memory_order_acquire);
  PrefetchLine(leaf_->next.load(std::memory_order_relaxed));
  PrefetchNextEntries();
}

// The part of an entry that is prefetched: all of it, if the key is short and the value a
// reference.
constexpr size_t kBeginningOfEntry = 48;

// Prefetches the entries of a leaf. Entries are in memory in the order in which they were written:
// each of them is one cache miss, or two.
void MemtableIndex::Cursor::PrefetchNextEntries() const {
  for (int rank = rank_ + 1; rank < CountOf(permutation_); rank++) {
    const char* const entry = leaf_->keys[SlotOf(permutation_, rank)];
    PrefetchLine(entry);
    PrefetchLine(entry + kBeginningOfEntry - 1);
  }
}

void MemtableIndex::Cursor::Prev() {
  assert(Valid());
  if (rank_ > 0) {
    rank_--;
    return;
  }
  const char* here = entry();
  MoveTo(index_->FindLastBefore({memtable_entry::UserKey(here), memtable_entry::Trailer(here)}));
}

}  // namespace leveldb
