#include "db/mem/memtable_index.h"

#include <algorithm>
#include <cassert>
#include <new>

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

// An entry that is on its way into a leaf.
struct MemtableIndex::Placed {
  const char* entry;
  uint64_t digest;
};

// The separators around the keys of a node's range; nullptr: unbounded.
struct MemtableIndex::Bounds {
  const char* low = nullptr;
  const char* high = nullptr;
};

// The writer's way down: the inner nodes with the rank of the child taken (-1: the first child),
// then the leaf.
struct MemtableIndex::Descent {
  struct Step {
    Inner* node;
    int rank;
  };
  Step steps[kMaxHeight];
  int depth = 0;
  Leaf* leaf = nullptr;

  // Of the node at steps[at], or, where `at` is depth, of the leaf.
  Bounds BoundsOf(int at) const;
};

MemtableIndex::MemtableIndex(const InternalKeyComparator* comparator, Arena* arena)
    : comparator_(comparator),
      use_digests_(comparator->is_bytewise()),
      rank_digest_(FastestDigestRanker()),
      arena_(arena) {
  static_assert(kSlots <= kRankedDigestsMax);
  last_leaf_ = NewLeaf(0);
  root_.store(last_leaf_, std::memory_order_release);
}

// ---- search ------------------------------------------------------------------------------------

uint64_t MemtableIndex::Digest(const Slice& user_key, size_t prefix_length) const {
  if (!use_digests_) return 0;
  assert(user_key.size() >= prefix_length);
  return DigestOf(user_key.data(), user_key.size(), prefix_length);
}

int MemtableIndex::CompareWithEntry(const SearchKey& key, const char* entry) const {
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

const MemtableIndex::Node* MemtableIndex::ChildAt(const Inner* inner, uint64_t permutation,
                                                  int rank) const {
  const std::atomic<Node*>& child =
      rank < 0 ? inner->first_child : inner->children[SlotOf(permutation, rank)];
  const Node* node = child.load(std::memory_order_acquire);
  PrefetchLine(node);
  PrefetchLine(reinterpret_cast<const char*>(node) + 64);
  PrefetchLine(reinterpret_cast<const char*>(node) + 128);
  PrefetchLine(reinterpret_cast<const char*>(node) + 192);
  return node;
}

// The place of the first entry at or after `key`; no leaf if there is none. Where the key is after
// all of its leaf's entries, the entry sought is the first of the next leaf, unless that leaf was
// split off at the right edge since the descent: then the search starts anew.
MemtableIndex::Position MemtableIndex::FindPosition(const SearchKey& key) const {
  while (true) {
    const Node* node = root_.load(std::memory_order_acquire);
    while (node->level > 0) {
      const Inner* inner = static_cast<const Inner*>(node);
      const uint64_t permutation = inner->permutation.load(std::memory_order_acquire);
      const int rank = CountBefore(inner, permutation, key, /*equal_is_before=*/true) - 1;
      const Node* child = ChildAt(inner, permutation, rank);
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

// The last entry of the subtree; rank -1 if it has none, as only an empty tree's root does.
MemtableIndex::Position MemtableIndex::LastOf(const Node* node) {
  while (node->level > 0) {
    const Inner* inner = static_cast<const Inner*>(node);
    const uint64_t permutation = inner->permutation.load(std::memory_order_acquire);
    const int count = CountOf(permutation);
    const std::atomic<Node*>& last =
        count == 0 ? inner->first_child : inner->children[SlotOf(permutation, count - 1)];
    const Node* child = last.load(std::memory_order_acquire);
    if (inner->permutation.load(std::memory_order_acquire) == permutation) node = child;
  }
  const Leaf* leaf = static_cast<const Leaf*>(node);
  const uint64_t permutation = leaf->permutation.load(std::memory_order_acquire);
  return {leaf, permutation, CountOf(permutation) - 1};
}

// The last entry before `key`; rank -1 if there is none. Remembers the nearest subtree to the left
// on the way down, in case the leaf has nothing before the key.
MemtableIndex::Position MemtableIndex::FindLastBefore(const SearchKey& key) const {
  const Node* node = root_.load(std::memory_order_acquire);
  const Node* left_subtree = nullptr;
  while (node->level > 0) {
    const Inner* inner = static_cast<const Inner*>(node);
    const uint64_t permutation = inner->permutation.load(std::memory_order_acquire);
    const int rank = CountBefore(inner, permutation, key, /*equal_is_before=*/false) - 1;
    const Node* left = rank >= 0 ? ChildAt(inner, permutation, rank - 1) : left_subtree;
    const Node* child = ChildAt(inner, permutation, rank);
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

void MemtableIndex::Approach(const Slice& user_key) const {
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
    node = static_cast<const Inner*>(node)->first_child.load(std::memory_order_acquire);
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
  AskForEntries();
}

// Entries lie in the order in which they were written: each of a leaf's is a cache miss of its own.
void MemtableIndex::Cursor::AskForEntries() const {
  for (int rank = rank_ + 1; rank < CountOf(permutation_); rank++) {
    PrefetchLine(leaf_->keys[SlotOf(permutation_, rank)]);
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

// ---- insertion (the writer only) ---------------------------------------------------------------

// The number of leading bytes shared by all user keys between the two separators.
size_t MemtableIndex::SharedPrefix(const char* low, const char* high) const {
  if (!use_digests_ || low == nullptr || high == nullptr) return 0;
  const Slice a = memtable_entry::UserKey(low);
  const Slice b = memtable_entry::UserKey(high);
  return CommonPrefixLength(a.data(), b.data(), std::min(a.size(), b.size()));
}

MemtableIndex::Leaf* MemtableIndex::NewLeaf(size_t prefix_length) {
  Leaf* leaf = new (arena_->AllocateAligned(sizeof(Leaf))) Leaf;
  leaf->prefix_length = static_cast<uint32_t>(prefix_length);
  leaf->level = 0;
  return leaf;
}

MemtableIndex::Inner* MemtableIndex::NewInner(size_t prefix_length, int level) {
  Inner* inner = new (arena_->AllocateAligned(sizeof(Inner))) Inner;
  inner->prefix_length = static_cast<uint32_t>(prefix_length);
  inner->level = level;
  return inner;
}

void MemtableIndex::Append(Leaf* leaf, const char* entry, int rank) {
  const uint64_t permutation = leaf->permutation.load(std::memory_order_relaxed);
  const int slot = CountOf(permutation);
  leaf->digests[slot] = Digest(memtable_entry::UserKey(entry), leaf->prefix_length);
  leaf->keys[slot] = entry;
  leaf->permutation.store(WithNextSlotAt(permutation, rank), std::memory_order_release);
}

void MemtableIndex::AppendChild(Inner* inner, const char* separator, Node* child, int rank) {
  const uint64_t permutation = inner->permutation.load(std::memory_order_relaxed);
  const int slot = CountOf(permutation);
  inner->digests[slot] = Digest(memtable_entry::UserKey(separator), inner->prefix_length);
  inner->keys[slot] = separator;
  inner->children[slot].store(child, std::memory_order_release);
  inner->permutation.store(WithNextSlotAt(permutation, rank), std::memory_order_release);
}

MemtableIndex::Bounds MemtableIndex::Descent::BoundsOf(int at) const {
  Bounds bounds;
  while (at > 0 && (bounds.low == nullptr || bounds.high == nullptr)) {
    const Step& step = steps[--at];
    const uint64_t permutation = step.node->permutation.load(std::memory_order_relaxed);
    if (bounds.low == nullptr && step.rank >= 0) {
      bounds.low = step.node->keys[SlotOf(permutation, step.rank)];
    }
    if (bounds.high == nullptr && step.rank + 1 < CountOf(permutation)) {
      bounds.high = step.node->keys[SlotOf(permutation, step.rank + 1)];
    }
  }
  return bounds;
}

void MemtableIndex::Descend(const SearchKey& key, Descent* path) const {
  Node* node = root_.load(std::memory_order_relaxed);
  while (node->level > 0) {
    Inner* inner = static_cast<Inner*>(node);
    const uint64_t permutation = inner->permutation.load(std::memory_order_relaxed);
    const int rank = CountBefore(inner, permutation, key, /*equal_is_before=*/true) - 1;
    assert(path->depth < kMaxHeight);
    path->steps[path->depth++] = {inner, rank};
    node = const_cast<Node*>(ChildAt(inner, permutation, rank));
  }
  path->leaf = static_cast<Leaf*>(node);
}

void MemtableIndex::Insert(const char* entry) {
  const SearchKey key{memtable_entry::UserKey(entry), memtable_entry::Trailer(entry)};

  const uint64_t last_permutation = last_leaf_->permutation.load(std::memory_order_relaxed);
  const int last_count = CountOf(last_permutation);
  if (last_count > 0 && last_count < kSlots &&
      CompareWithEntry(key, last_leaf_->keys[SlotOf(last_permutation, last_count - 1)]) > 0) {
    Append(last_leaf_, entry, last_count);
    return;
  }

  Descent path;
  Descend(key, &path);
  const uint64_t permutation = path.leaf->permutation.load(std::memory_order_relaxed);
  const int rank = CountBefore(path.leaf, permutation, key, /*equal_is_before=*/false);
  if (CountOf(permutation) < kSlots) {
    Append(path.leaf, entry, rank);
  } else {
    SplitLeaf(&path, entry, rank);
  }
}

// The leaf in front of the one that the path leads to, or nullptr.
MemtableIndex::Leaf* MemtableIndex::LeafBefore(const Descent& path) const {
  for (int depth = path.depth - 1; depth >= 0; depth--) {
    const Descent::Step& step = path.steps[depth];
    if (step.rank < 0) continue;
    const uint64_t permutation = step.node->permutation.load(std::memory_order_relaxed);
    const Node* left = ChildAt(step.node, permutation, step.rank - 1);
    return const_cast<Leaf*>(LastOf(left).leaf);
  }
  return nullptr;
}

// Whether they differ in the digests wherever they differ in the user key. Versions of one key have
// one digest whatever they are digests of.
bool MemtableIndex::DigestsTellApart(const Placed* entries, int count) const {
  if (!use_digests_) return true;
  for (int i = 1; i < count; i++) {
    if (entries[i - 1].digest != entries[i].digest) continue;
    const Slice a = memtable_entry::UserKey(entries[i - 1].entry);
    const Slice b = memtable_entry::UserKey(entries[i].entry);
    if (comparator_->CompareUserKeys(a, b) != 0) return false;
  }
  return true;
}

// A new leaf for keys from `low` to `high`, of entries that have digests for `prefix_length`.
// Entries lie all over the arena, so they are looked at only if these digests do not tell them
// apart.
MemtableIndex::Leaf* MemtableIndex::NewLeafOf(const Placed* entries, int count,
                                              size_t prefix_length, const char* low,
                                              const char* high) {
  const bool digests_do = DigestsTellApart(entries, count);
  Leaf* const leaf = NewLeaf(digests_do ? prefix_length : SharedPrefix(low, high));
  for (int i = 0; i < count; i++) {
    const auto& [entry, digest] = entries[i];
    leaf->keys[i] = entry;
    leaf->digests[i] =
        digests_do ? digest : Digest(memtable_entry::UserKey(entry), leaf->prefix_length);
  }
  leaf->permutation.store(PermutationInOrder(count), std::memory_order_release);
  return leaf;
}

// Makes room for `entry`, which belongs at `rank` of the path's full leaf. Ascending keys leave the
// full leaf as it is and start a new one; otherwise the halves go to two new leaves.
void MemtableIndex::SplitLeaf(Descent* path, const char* entry, int rank) {
  Leaf* const old = path->leaf;
  if (old == last_leaf_ && rank == kSlots) {
    Leaf* right = NewLeaf(0);
    Append(right, entry, 0);
    last_leaf_ = right;
    old->next.store(right, std::memory_order_release);
    InstallSplit(path, path->depth - 1, old, entry, right);
    return;
  }

  const uint64_t permutation = old->permutation.load(std::memory_order_relaxed);
  const size_t prefix_length = old->prefix_length;
  Placed ordered[kSlots + 1];
  for (int i = 0, from = 0; i <= kSlots; i++) {
    if (i == rank) {
      ordered[i] = {entry, Digest(memtable_entry::UserKey(entry), prefix_length)};
    } else {
      const int slot = SlotOf(permutation, from++);
      ordered[i] = {old->keys[slot], old->digests[slot]};
    }
  }
  constexpr int kLeftCount = (kSlots + 1) / 2;
  constexpr int kRightCount = kSlots + 1 - kLeftCount;
  const char* const separator = ordered[kLeftCount].entry;
  const auto [low, high] = path->BoundsOf(path->depth);
  Leaf* const left = NewLeafOf(ordered, kLeftCount, prefix_length, low, separator);
  Leaf* const right = NewLeafOf(ordered + kLeftCount, kRightCount, prefix_length, separator, high);
  right->next.store(old->next.load(std::memory_order_relaxed), std::memory_order_relaxed);
  left->next.store(right, std::memory_order_release);
  if (old == last_leaf_) last_leaf_ = right;

  Leaf* const before = LeafBefore(*path);
  InstallSplit(path, path->depth - 1, left, separator, right);
  if (before != nullptr) before->next.store(left, std::memory_order_release);
}

// Puts `left` where the child at path->steps[depth] was and `right` behind it, splitting upwards.
void MemtableIndex::InstallSplit(Descent* path, int depth, Node* left, const char* separator,
                                 Node* right) {
  if (depth < 0) {
    Inner* const root = NewInner(0, left->level + 1);
    root->first_child.store(left, std::memory_order_relaxed);
    AppendChild(root, separator, right, 0);
    root_.store(root, std::memory_order_release);
    return;
  }

  const Descent::Step& step = path->steps[depth];
  Inner* const parent = step.node;
  const uint64_t permutation = parent->permutation.load(std::memory_order_relaxed);
  const int count = CountOf(permutation);
  const int right_rank = step.rank + 1;
  if (count < kSlots) {
    AppendChild(parent, separator, right, right_rank);
    std::atomic<Node*>& slot =
        step.rank < 0 ? parent->first_child : parent->children[SlotOf(permutation, step.rank)];
    slot.store(left, std::memory_order_release);
    return;
  }

  // All the separators and children in order, with the split in place.
  const char* separators[kSlots + 1];
  Node* children[kSlots + 2];
  children[0] = parent->first_child.load(std::memory_order_relaxed);
  for (int i = 0, from = 0; i <= kSlots; i++) {
    if (i == right_rank) {
      separators[i] = separator;
      children[i + 1] = right;
      continue;
    }
    const int slot = SlotOf(permutation, from++);
    separators[i] = parent->keys[slot];
    children[i + 1] = parent->children[slot].load(std::memory_order_relaxed);
  }
  children[right_rank] = left;

  // At the right edge keys ascend: leave the left node full.
  const auto [low, high] = path->BoundsOf(depth);
  const bool at_right_edge = high == nullptr && right_rank == kSlots;
  const int middle = at_right_edge ? kSlots : (kSlots + 1) / 2;
  Inner* const new_left = NewInner(SharedPrefix(low, separators[middle]), parent->level);
  Inner* const new_right = NewInner(SharedPrefix(separators[middle], high), parent->level);
  new_left->first_child.store(children[0], std::memory_order_relaxed);
  for (int i = 0; i < middle; i++) AppendChild(new_left, separators[i], children[i + 1], i);
  new_right->first_child.store(children[middle + 1], std::memory_order_relaxed);
  for (int i = middle + 1; i <= kSlots; i++) {
    AppendChild(new_right, separators[i], children[i + 1], i - middle - 1);
  }
  InstallSplit(path, depth - 1, new_left, separators[middle], new_right);
}

}  // namespace leveldb
