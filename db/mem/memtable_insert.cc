#include <algorithm>
#include <cassert>
#include <new>

#include "db/mem/memtable_index.h"
#include "db/mem/memtable_node.h"
#include "util/prefetch.h"

namespace leveldb {

// An entry on its way into a leaf, or a separator into an inner node.
struct MemtableIndex::Placed {
  const char* entry;
  int32_t digest;
};

// The separators around the keys of a node's range; nullptr: unbounded.
struct MemtableIndex::Bounds {
  const char* low = nullptr;
  const char* high = nullptr;
};

// The number of leading bytes shared by all user keys between the two entries.
size_t MemtableIndex::SharedPrefix(const char* low, const char* high) {
  const Slice a = memtable_entry::UserKey(low);
  const Slice b = memtable_entry::UserKey(high);
  return CommonPrefixLength(a.data(), b.data(), std::min(a.size(), b.size()));
}

// The prefix of a node with that range. Where it has an end only at one side, keys are supposed to
// begin as those from `first` to `last` do, and to be as long: their ends are what digests take.
MemtableIndex::Prefix MemtableIndex::PrefixOf(const Bounds& bounds, const char* first,
                                              const char* last) const {
  Prefix prefix;
  if (!use_digests_) return prefix;
  size_t shared;
  if (bounds.low != nullptr && bounds.high != nullptr) {
    shared = SharedPrefix(bounds.low, bounds.high);
  } else {
    prefix.is_of_first = true;
    const size_t size = memtable_entry::UserKey(last).size();
    shared = std::min(SharedPrefix(first, last), size - std::min(size, kDigestBytes));
  }
  prefix.length = static_cast<uint16_t>(std::min<size_t>(shared, UINT16_MAX));
  return prefix;
}

MemtableIndex::Leaf* MemtableIndex::NewLeaf(const Prefix& prefix) {
  Leaf* leaf = new (arena_->AllocateAligned(sizeof(Leaf))) Leaf;
  leaf->prefix = prefix;
  leaf->level = 0;
  return leaf;
}

MemtableIndex::Inner* MemtableIndex::NewInner(const Prefix& prefix, int level) {
  Inner* inner = new (arena_->AllocateAligned(sizeof(Inner))) Inner;
  inner->prefix = prefix;
  inner->level = level;
  return inner;
}

void MemtableIndex::Append(Leaf* leaf, const char* entry, const SearchKey& key, int rank) {
  const uint64_t permutation = leaf->permutation.load(std::memory_order_relaxed);
  const int slot = CountOf(permutation);
  leaf->keys[slot] = entry;
  leaf->digests[slot] = Digest(*leaf, key.user_key);
  leaf->permutation.store(WithNextSlotAt(permutation, rank), std::memory_order_release);
}

void MemtableIndex::AppendChild(Inner* inner, const char* separator, Node* child, int rank) {
  const uint64_t permutation = inner->permutation.load(std::memory_order_relaxed);
  const int slot = CountOf(permutation);
  inner->keys[slot] = separator;
  inner->digests[slot] = Digest(*inner, memtable_entry::UserKey(separator));
  inner->children[1 + slot].store(child, std::memory_order_release);
  inner->permutation.store(WithNextSlotAt(permutation, rank), std::memory_order_release);
}

MemtableIndex::Bounds MemtableIndex::Descent::BoundsOf(int at) const {
  Bounds bounds;
  while (at > 0 && (bounds.low == nullptr || bounds.high == nullptr)) {
    const Step& step = steps_[--at];
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

// Whether the key is behind all entries, and the last leaf has room for it. Only looked at where
// the one before was: else the way down is as short.
bool MemtableIndex::IsBehindAll(const SearchKey& key) const {
  if (!is_ascending_) return false;
  const uint64_t permutation = last_leaf_->permutation.load(std::memory_order_relaxed);
  const int count = CountOf(permutation);
  return count > 0 && count < kSlots &&
         CompareWithEntry(key, last_leaf_->keys[SlotOf(permutation, count - 1)]) > 0;
}

// Goes on from where it has come to, or from the root, to the node of that level, or a lower one.
void MemtableIndex::DescendTo(int level, const SearchKey& key, Descent* descent) const {
  Node* node = descent->node_;
  // The level of a node is known from the one above it: its own lines are still on their way.
  int here = descent->level_;
  if (node == nullptr) {
    node = root_.load(std::memory_order_relaxed);
    here = node->level;
  }
  for (; here > level; here--) {
    Inner* const inner = static_cast<Inner*>(node);
    const uint64_t permutation = inner->permutation.load(std::memory_order_relaxed);
    const int rank = CountBefore(inner, permutation, key, /*equal_is_before=*/true) - 1;
    assert(descent->depth_ < kMaxHeight);
    descent->steps_[descent->depth_++] = {inner, rank};
    node = NextDown(inner, permutation, rank);
  }
  descent->node_ = node;
  descent->level_ = here;
}

// To all separators of the same key the newest version is what the entry will be: before them.
void MemtableIndex::Begin(const Slice& user_key, Descent* descent) const {
  const SearchKey newest{user_key, PackTrailer(kMaxSequenceNumber, kSeekType)};
  descent->Forget();
  descent->user_key_ = user_key;
  if (!IsBehindAll(newest)) DescendTo(1, newest, descent);
}

void MemtableIndex::GoOn(Descent* descent) const {
  if (descent->node_ == nullptr) return;
  DescendTo(0, {descent->user_key_, PackTrailer(kMaxSequenceNumber, kSeekType)}, descent);
}

void MemtableIndex::Insert(const char* entry, const Slice& user_key, uint64_t trailer,
                           Descent* descent) {
  const SearchKey key{user_key, trailer};
  if (descent->node_ == nullptr && IsBehindAll(key)) {
    const uint64_t permutation = last_leaf_->permutation.load(std::memory_order_relaxed);
    Append(last_leaf_, entry, key, CountOf(permutation));
    return;
  }
  if (descent->node_ == nullptr || descent->level_ > 0) DescendTo(0, key, descent);
  Leaf* const leaf = static_cast<Leaf*>(descent->node_);
  const uint64_t permutation = leaf->permutation.load(std::memory_order_relaxed);
  const int rank = CountBefore(leaf, permutation, key, /*equal_is_before=*/false);
  const bool ascends = leaf == last_leaf_ && rank == CountOf(permutation);
  if (ascends != is_ascending_) is_ascending_ = ascends;  // readers look at this line
  if (CountOf(permutation) < kSlots) {
    Append(leaf, entry, key, rank);
  } else {
    SplitLeaf(descent, entry, key, rank);
  }
  descent->Forget();
}

// The leaf in front of the one that the descent leads to, or nullptr. The leaf is not looked at.
MemtableIndex::Leaf* MemtableIndex::LeafBefore(const Descent& descent) {
  for (int depth = descent.depth_ - 1; depth >= 0; depth--) {
    const auto& [inner, rank] = descent.steps_[depth];
    if (rank < 0) continue;
    Node* node = ChildAt(inner, inner->permutation.load(std::memory_order_relaxed), rank - 1);
    for (int level = inner->level - 1; level > 0; level--) {
      const Inner* const below = static_cast<const Inner*>(node);
      const uint64_t permutation = below->permutation.load(std::memory_order_relaxed);
      node = ChildAt(below, permutation, CountOf(permutation) - 1);
    }
    return static_cast<Leaf*>(node);
  }
  return nullptr;
}

// Of a full node what it shows, in order, with one more key at `rank`.
template <class AnyNode>
void MemtableIndex::InOrder(const AnyNode& full, const Placed& more, int rank, Placed* ordered) {
  const uint64_t permutation = full.permutation.load(std::memory_order_relaxed);
  for (int i = 0, from = 0; i <= kSlots; i++) {
    if (i == rank) {
      ordered[i] = more;
    } else {
      const int slot = SlotOf(permutation, from++);
      ordered[i] = {full.keys[slot], full.digests[slot]};
    }
  }
}

// Whether a new leaf of these entries, which were in `old`, can do with the digests that they had
// there: whether they differ in them wherever they differ in the user key. Versions of one key have
// one digest whatever they are digests of.
bool MemtableIndex::HandsDown(const Leaf& old, const Placed* entries, int count) const {
  if (!use_digests_) return true;
  if (old.prefix.is_of_first) return false;
  for (int i = 1; i < count; i++) {
    if (entries[i - 1].digest != entries[i].digest) continue;
    const Slice a = memtable_entry::UserKey(entries[i - 1].entry);
    const Slice b = memtable_entry::UserKey(entries[i].entry);
    if (comparator_->CompareUserKeys(a, b) != 0) return false;
  }
  return true;
}

// Asks for what new digests are made of. Entries lie all over the arena.
void MemtableIndex::PrefetchEntries(const Placed* entries, int count) {
  for (int i = 0; i < count; i++) Prefetch(entries[i].entry, kCacheLineBytes);
}

// Puts the keys into a new node, and looks at them only if they need new digests.
template <class AnyNode>
void MemtableIndex::Fill(AnyNode* node, const Placed* keys, int count, bool have_digests) const {
  for (int i = 0; i < count; i++) node->keys[i] = keys[i].entry;
  for (int i = 0; i < count; i++) {
    node->digests[i] =
        have_digests ? keys[i].digest : Digest(*node, memtable_entry::UserKey(keys[i].entry));
  }
  node->permutation.store(PermutationInOrder(count), std::memory_order_release);
}

MemtableIndex::Leaf* MemtableIndex::NewLeafOf(const Placed* entries, int count, const Leaf& old,
                                              bool digests_do, const Bounds& bounds) {
  Leaf* const leaf = NewLeaf(
      digests_do ? old.prefix : PrefixOf(bounds, entries[0].entry, entries[count - 1].entry));
  Fill(leaf, entries, count, digests_do);
  return leaf;
}

// With `count` separators, which have digests for `old`, and one child more; `first` and `last` as
// for PrefixOf. Searches come by more often than splits, so it gets the digests that tell most.
MemtableIndex::Inner* MemtableIndex::NewInnerOf(const Placed* separators, Node* const* children,
                                                int count, const Inner& old, const Bounds& bounds,
                                                const char* first, const char* last) {
  const Prefix prefix = PrefixOf(bounds, first, last);
  Inner* const inner = NewInner(prefix, old.level);
  for (int i = 0; i <= count; i++) {
    inner->children[i].store(children[i], std::memory_order_relaxed);
  }
  const bool digests_stay =
      !prefix.is_of_first && !old.prefix.is_of_first && prefix.length == old.prefix.length;
  Fill(inner, separators, count, digests_stay);
  return inner;
}

// Makes room for `entry`, which belongs at `rank` of the descent's full leaf. Ascending keys leave
// the full leaf as it is and start a new one; otherwise the halves go to two new leaves.
void MemtableIndex::SplitLeaf(Descent* descent, const char* entry, const SearchKey& key, int rank) {
  Leaf* const old = static_cast<Leaf*>(descent->node_);
  if (old == last_leaf_ && rank == kSlots) {
    const Bounds open{entry, nullptr};
    Leaf* right = NewLeaf(PrefixOf(open, FirstKeyOf(old), entry));
    Append(right, entry, key, 0);
    last_leaf_ = right;
    old->next.store(right, std::memory_order_release);
    InstallSplit(descent, descent->depth_ - 1, old, entry, right);
    return;
  }

  Placed ordered[kSlots + 1];
  InOrder(*old, {entry, Digest(*old, key.user_key)}, rank, ordered);
  constexpr int kLeftCount = (kSlots + 1) / 2;
  constexpr int kRightCount = kSlots + 1 - kLeftCount;
  const Placed* const right_half = ordered + kLeftCount;
  const char* const separator = right_half[0].entry;
  // The parent wants its digest: it arrives while the new leaves are filled.
  if (separator != entry) Prefetch(separator, kCacheLineBytes);
  const bool left_does = HandsDown(*old, ordered, kLeftCount);
  const bool right_does = HandsDown(*old, right_half, kRightCount);
  if (!left_does) PrefetchEntries(ordered, kLeftCount);
  if (!right_does) PrefetchEntries(right_half, kRightCount);
  const auto [low, high] = descent->BoundsOf(descent->depth_);
  Leaf* const left = NewLeafOf(ordered, kLeftCount, *old, left_does, {low, separator});
  Leaf* const right = NewLeafOf(right_half, kRightCount, *old, right_does, {separator, high});
  right->next.store(old->next.load(std::memory_order_relaxed), std::memory_order_relaxed);
  left->next.store(right, std::memory_order_release);
  if (old == last_leaf_) last_leaf_ = right;

  Leaf* const before = LeafBefore(*descent);
  InstallSplit(descent, descent->depth_ - 1, left, separator, right);
  if (before != nullptr) before->next.store(left, std::memory_order_release);
}

const char* MemtableIndex::FirstKeyOf(const Node* node) {
  const int slot = SlotOf(node->permutation.load(std::memory_order_relaxed), 0);
  return node->level == 0 ? static_cast<const Leaf*>(node)->keys[slot]
                          : static_cast<const Inner*>(node)->keys[slot];
}

// Puts `left` where the child at descent->steps_[depth] was and `right` behind it, splitting
// upwards.
void MemtableIndex::InstallSplit(Descent* descent, int depth, Node* left, const char* separator,
                                 Node* right) {
  if (depth < 0) {
    const Prefix prefix = PrefixOf(Bounds(), FirstKeyOf(left), separator);
    Inner* const root = NewInner(prefix, left->level + 1);
    root->children[0].store(left, std::memory_order_relaxed);
    AppendChild(root, separator, right, 0);
    root_.store(root, std::memory_order_release);
    return;
  }

  const Descent::Step& step = descent->steps_[depth];
  Inner* const parent = step.node;
  const uint64_t permutation = parent->permutation.load(std::memory_order_relaxed);
  const int count = CountOf(permutation);
  const int right_rank = step.rank + 1;
  if (count < kSlots) {
    AppendChild(parent, separator, right, right_rank);
    const int old = SlotBehind(permutation, step.rank);
    parent->children[old].store(left, std::memory_order_release);
    return;
  }

  // All the separators and children in order, with the split in place.
  Placed separators[kSlots + 1];
  InOrder(*parent, {separator, Digest(*parent, memtable_entry::UserKey(separator))}, right_rank,
          separators);
  Node* children[kSlots + 2];
  for (int rank = -1; rank < kSlots; rank++) {
    children[rank < right_rank ? rank + 1 : rank + 2] = ChildAt(parent, permutation, rank);
  }
  children[right_rank] = left;
  children[right_rank + 1] = right;

  // At the right edge keys ascend: leave the left node full.
  const auto [low, high] = descent->BoundsOf(depth);
  const bool at_right_edge = high == nullptr && right_rank == kSlots;
  const int middle = at_right_edge ? kSlots : (kSlots + 1) / 2;
  const char* const first = separators[0].entry;
  const char* const between = separators[middle].entry;
  Inner* const new_left =
      NewInnerOf(separators, children, middle, *parent, {low, between}, first, between);
  Inner* const new_right =
      NewInnerOf(separators + middle + 1, children + middle + 1, kSlots - middle, *parent,
                 {between, high}, at_right_edge ? first : between, separators[kSlots].entry);
  InstallSplit(descent, depth - 1, new_left, between, new_right);
}

}  // namespace leveldb
