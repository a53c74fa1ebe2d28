#include <algorithm>
#include <cassert>
#include <new>

#include "db/mem/memtable_index.h"
#include "db/mem/memtable_node.h"
#include "util/prefetch.h"

namespace leveldb {

// An entry to be put into a leaf, or a separator to be put into an inner node.
struct MemtableIndex::Placed {
  const char* entry;
  int32_t digest;
};

// The separators around the keys of a node's range; nullptr: unbounded.
struct MemtableIndex::Bounds {
  const char* low = nullptr;
  const char* high = nullptr;
};

// The content of one of the two new leaves of a split.
struct MemtableIndex::Half {
  const Placed* entries;
  int count;
  Bounds bounds;
  Prefix prefix = {};
  bool have_digests = false;  // for that prefix
};

// Returns the number of leading bytes shared by all user keys between the two entries.
size_t MemtableIndex::SharedPrefix(const char* low, const char* high) {
  const Slice a = memtable_entry::UserKey(low);
  const Slice b = memtable_entry::UserKey(high);
  return CommonPrefixLength(a.data(), b.data(), std::min(a.size(), b.size()));
}

// Returns the prefix of a node with that range. If the range is unbounded on one side, keys are
// assumed to begin like those from `first` to `last`, and to have the same length: digests then
// cover their last bytes.
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

void MemtableIndex::Append(Leaf* leaf, const Placed& added, int rank) {
  const uint64_t permutation = leaf->permutation.load(std::memory_order_relaxed);
  const int slot = CountOf(permutation);
  leaf->keys[slot] = added.entry;
  leaf->digests[slot] = added.digest;
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

MemtableIndex::Bounds MemtableIndex::InsertHint::BoundsOf(int at) const {
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

// Returns whether the key is after all entries, and the last leaf has room for it. Checked only if
// the previous key was: otherwise the descent is as fast.
bool MemtableIndex::IsBehindAll(const SearchKey& key) const {
  if (!is_ascending_) return false;
  const uint64_t permutation = last_leaf_->permutation.load(std::memory_order_relaxed);
  const int count = CountOf(permutation);
  return count > 0 && count < kSlots &&
         CompareWithEntry(key, last_leaf_->keys[SlotOf(permutation, count - 1)]) > 0;
}

// Continues from the node reached, or from the root, to the node of that level, or a lower one.
void MemtableIndex::DescendTo(int level, const SearchKey& key, InsertHint* hint) const {
  Node* node = hint->node_;
  // The level of a node is derived from the one above it: its own lines may not have arrived yet.
  int here = hint->level_;
  if (node == nullptr) {
    node = root_.load(std::memory_order_relaxed);
    here = node->level;
  }
  for (; here > level; here--) {
    Inner* const inner = static_cast<Inner*>(node);
    const uint64_t permutation = inner->permutation.load(std::memory_order_relaxed);
    const int rank = CountBefore(inner, permutation, key, /*equal_is_before=*/true) - 1;
    assert(hint->depth_ < kMaxHeight);
    hint->steps_[hint->depth_++] = {inner, rank};
    node = NextDown(inner, permutation, rank);
  }
  hint->node_ = node;
  hint->level_ = here;
}

// The search key is the newest version. Compared with all separators of the same user key, it is
// ordered as the entry will be: before them.
void MemtableIndex::Begin(const Slice& user_key, InsertHint* hint) const {
  const SearchKey newest{user_key, PackTrailer(kMaxSequenceNumber, kSeekType)};
  hint->Forget();
  hint->user_key_ = user_key;
  if (!IsBehindAll(newest)) DescendTo(1, newest, hint);
}

void MemtableIndex::Advance(InsertHint* hint) const {
  if (hint->node_ == nullptr) return;
  DescendTo(0, {hint->user_key_, PackTrailer(kMaxSequenceNumber, kSeekType)}, hint);
}

void MemtableIndex::Insert(const char* entry, const Slice& user_key, uint64_t trailer,
                           InsertHint* hint) {
  const SearchKey key{user_key, trailer};
  if (hint->node_ == nullptr && IsBehindAll(key)) {
    const uint64_t permutation = last_leaf_->permutation.load(std::memory_order_relaxed);
    Append(last_leaf_, {entry, Digest(*last_leaf_, user_key)}, CountOf(permutation));
    return;
  }
  if (hint->node_ == nullptr || hint->level_ > 0) DescendTo(0, key, hint);
  Leaf* const leaf = static_cast<Leaf*>(hint->node_);
  const uint64_t permutation = leaf->permutation.load(std::memory_order_relaxed);
  const Placed added{entry, Digest(*leaf, user_key)};
  const int rank = CountBefore(leaf, permutation, added.digest, key, /*equal_is_before=*/false);
  const bool ascends = leaf == last_leaf_ && rank == CountOf(permutation);
  if (ascends != is_ascending_) is_ascending_ = ascends;  // readers use this line
  if (CountOf(permutation) < kSlots) {
    Append(leaf, added, rank);
    if (ahead_.depth_ > 0 || HasFullParent(*hint)) SplitAhead(*hint);
  } else {
    SplitLeaf(hint, added, user_key, rank);
    ahead_.Forget();  // its path may have been replaced
  }
  hint->Forget();
}

// Returns the leaf before the one that the hint leads to, or nullptr. The leaf itself is not read.
MemtableIndex::Leaf* MemtableIndex::LeafBefore(const InsertHint& hint) {
  for (int depth = hint.depth_ - 1; depth >= 0; depth--) {
    const auto& [inner, rank] = hint.steps_[depth];
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

// Stores the visible content of a full node, in order, to `ordered`.
template <class AnyNode>
void MemtableIndex::InOrder(const AnyNode& full, Placed* ordered) {
  const uint64_t permutation = full.permutation.load(std::memory_order_relaxed);
  for (int rank = 0; rank < kSlots; rank++) {
    const int slot = SlotOf(permutation, rank);
    ordered[rank] = {full.keys[slot], full.digests[slot]};
  }
}

void MemtableIndex::ChildrenInOrder(const Inner& full, Node** children) {
  const uint64_t permutation = full.permutation.load(std::memory_order_relaxed);
  for (int rank = -1; rank < kSlots; rank++) children[rank + 1] = ChildAt(&full, permutation, rank);
}

// Inserts `more` at ordered[at].
template <class Any>
void MemtableIndex::InsertAt(int at, const Any& more, Any* ordered, int count) {
  std::move_backward(ordered + at, ordered + count, ordered + count + 1);
  ordered[at] = more;
}

// Returns whether keys have the same digests for both prefixes.
bool MemtableIndex::AreAlike(const Prefix& a, const Prefix& b) {
  return !a.is_of_first && !b.is_of_first && a.length == b.length;
}

// Prefetches the entries that new digests are made from. Entries are scattered over the arena.
void MemtableIndex::PrefetchEntries(const Placed* entries, int count) {
  for (int i = 0; i < count; i++) Prefetch(entries[i].entry, kCacheLineBytes);
}

void MemtableIndex::PrefetchBounds(const Bounds& bounds) {
  if (bounds.low != nullptr) Prefetch(bounds.low, kCacheLineBytes);
  if (bounds.high != nullptr) Prefetch(bounds.high, kCacheLineBytes);
}

// Passes digests on as long as they tell the entries apart. If they do not, digests after a longer
// prefix may: only for them the entries are read. Versions of one key have equal digests under any
// prefix.
void MemtableIndex::ChooseDigests(const Leaf& old, Half (&halves)[2]) const {
  for (Half& half : halves) {
    half.prefix = old.prefix;
    half.have_digests = !old.prefix.is_of_first;
    for (int i = 1; i < half.count; i++) {
      half.have_digests &= half.entries[i - 1].digest != half.entries[i].digest;
    }
    half.have_digests |= !use_digests_;
    if (!half.have_digests) PrefetchBounds(half.bounds);
  }
  for (Half& half : halves) {
    if (half.have_digests) continue;
    half.prefix = PrefixOf(half.bounds, half.entries[0].entry, half.entries[half.count - 1].entry);
    half.have_digests = AreAlike(half.prefix, old.prefix);
    if (!half.have_digests) PrefetchEntries(half.entries, half.count);
  }
}

// Puts the keys into a new node, and reads them only if they need new digests.
template <class AnyNode>
void MemtableIndex::Fill(AnyNode* node, const Placed* keys, int count, bool have_digests) const {
  for (int i = 0; i < count; i++) node->keys[i] = keys[i].entry;
  for (int i = 0; i < count; i++) {
    node->digests[i] =
        have_digests ? keys[i].digest : Digest(*node, memtable_entry::UserKey(keys[i].entry));
  }
  node->permutation.store(PermutationInOrder(count), std::memory_order_release);
}

MemtableIndex::Leaf* MemtableIndex::NewLeafOf(const Half& half) {
  Leaf* const leaf = NewLeaf(half.prefix);
  Fill(leaf, half.entries, half.count, half.have_digests);
  return leaf;
}

// Returns a node with `count` separators, which have digests for `old`, and one child more; `first`
// and `last` as for PrefixOf. Searches are more frequent than splits, so it gets the digests that
// distinguish best.
MemtableIndex::Inner* MemtableIndex::NewInnerOf(const Placed* separators, Node* const* children,
                                                int count, const Inner& old, const Bounds& bounds,
                                                const char* first, const char* last) {
  const Prefix prefix = PrefixOf(bounds, first, last);
  Inner* const inner = NewInner(prefix, old.level);
  for (int i = 0; i <= count; i++) {
    inner->children[i].store(children[i], std::memory_order_relaxed);
  }
  Fill(inner, separators, count, AreAlike(prefix, old.prefix));
  return inner;
}

// Makes room for an entry, which belongs at `rank` of the hint's full leaf and has its digest for
// that leaf. Ascending keys leave the full leaf as it is and start a new one; otherwise the two
// halves go to two new leaves.
void MemtableIndex::SplitLeaf(InsertHint* hint, const Placed& added, const Slice& user_key,
                              int rank) {
  Leaf* const old = static_cast<Leaf*>(hint->node_);
  const char* const entry = added.entry;
  if (old == last_leaf_ && rank == kSlots) {
    const Bounds open{entry, nullptr};
    Leaf* right = NewLeaf(PrefixOf(open, FirstKeyOf(old), entry));
    Append(right, {entry, DigestBehind(user_key, right->prefix.length)}, 0);
    last_leaf_ = right;
    old->next.store(right, std::memory_order_release);
    InstallSplit(hint, hint->depth_ - 1, old, entry, right);
    return;
  }

  Placed ordered[kSlots + 1];
  InOrder(*old, ordered);
  InsertAt(rank, added, ordered, kSlots);
  constexpr int kLeftCount = (kSlots + 1) / 2;
  const char* const separator = ordered[kLeftCount].entry;
  // Prefetches the separator, whose digest the parent needs, while the new leaves are filled; and
  // the pointer to be changed in the leaf before, which has not been read: a fence would wait for
  // it.
  if (separator != entry) Prefetch(separator, kCacheLineBytes);
  Leaf* const before = LeafBefore(*hint);
  if (before != nullptr) PrefetchLineToWrite(&before->next);

  const auto [low, high] = hint->BoundsOf(hint->depth_);
  Half halves[] = {{ordered, kLeftCount, {low, separator}},
                   {ordered + kLeftCount, kSlots + 1 - kLeftCount, {separator, high}}};
  ChooseDigests(*old, halves);
  Leaf* const left = NewLeafOf(halves[0]);
  Leaf* const right = NewLeafOf(halves[1]);
  right->next.store(old->next.load(std::memory_order_relaxed), std::memory_order_relaxed);
  left->next.store(right, std::memory_order_release);
  if (old == last_leaf_) last_leaf_ = right;

  InstallSplit(hint, hint->depth_ - 1, left, separator, right);
  if (before != nullptr) before->next.store(left, std::memory_order_release);
}

const char* MemtableIndex::FirstKeyOf(const Node* node) {
  const int slot = SlotOf(node->permutation.load(std::memory_order_relaxed), 0);
  return node->level == 0 ? static_cast<const Leaf*>(node)->keys[slot]
                          : static_cast<const Inner*>(node)->keys[slot];
}

// Replaces the child at hint->steps_[depth] by `left` and inserts `right` after it, splitting
// upwards.
void MemtableIndex::InstallSplit(InsertHint* hint, int depth, Node* left, const char* separator,
                                 Node* right) {
  if (depth < 0) {
    const Prefix prefix = PrefixOf(Bounds(), FirstKeyOf(left), separator);
    Inner* const root = NewInner(prefix, left->level + 1);
    root->children[0].store(left, std::memory_order_relaxed);
    AppendChild(root, separator, right, 0);
    root_.store(root, std::memory_order_release);
    return;
  }

  const InsertHint::Step& step = hint->steps_[depth];
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

  // All the separators and children in order, including the new ones.
  Placed separators[kSlots + 1];
  InOrder(*parent, separators);
  InsertAt(right_rank, Placed{separator, Digest(*parent, memtable_entry::UserKey(separator))},
           separators, kSlots);
  Node* children[kSlots + 2];
  ChildrenInOrder(*parent, children);
  children[right_rank] = left;
  InsertAt(right_rank + 1, right, children, kSlots + 1);
  SplitInner(hint, depth, separators, children, kSlots + 1, right_rank == kSlots);
}

// Replaces the node at hint->steps_[depth] by two: with these separators, except the one between
// the two nodes, and the children around them. At the right edge keys are taken to ascend if the
// one added last is after all others: then the left node is left full.
void MemtableIndex::SplitInner(InsertHint* hint, int depth, const Placed* separators,
                               Node* const* children, int count, bool added_is_last) {
  const Inner& old = *hint->steps_[depth].node;
  const auto [low, high] = hint->BoundsOf(depth);
  const bool keys_ascend = high == nullptr && added_is_last;
  const int middle = keys_ascend ? count - 1 : count / 2;
  const char* const first = separators[0].entry;
  const char* const between = separators[middle].entry;
  Inner* const left = NewInnerOf(separators, children, middle, old, {low, between}, first, between);
  Inner* const right =
      NewInnerOf(separators + middle + 1, children + middle + 1, count - 1 - middle, old,
                 {between, high}, keys_ascend ? first : between, separators[count - 1].entry);
  InstallSplit(hint, depth - 1, left, between, right);
}

bool MemtableIndex::HasFullParent(const InsertHint& hint) {
  if (hint.depth_ == 0) return false;
  const Inner& parent = *hint.steps_[hint.depth_ - 1].node;
  return CountOf(parent.permutation.load(std::memory_order_relaxed)) == kSlots;
}

// Called after an insertion at `here` that has split nothing. The slowest insertions are those that
// split both a leaf and the inner node above it. So a full inner node is split without a leaf, if
// an insertion that splits nothing comes in time: the next insertion does it, when the memory it
// reads has been prefetched.
void MemtableIndex::SplitAhead(const InsertHint& here) {
  if (ahead_.depth_ > 0) {
    SplitParent(&ahead_);
    ahead_.Forget();
    return;
  }
  const Bounds bounds = here.BoundsOf(here.depth_ - 1);
  // With ascending keys a node is left full: only adding to it tells whether they ascend.
  if (bounds.high == nullptr) return;
  const Inner& parent = *here.steps_[here.depth_ - 1].node;
  for (const char* separator : parent.keys) Prefetch(separator, kCacheLineBytes);
  PrefetchBounds(bounds);
  ahead_ = here;
}

// Splits the full inner node above the hint's leaf.
void MemtableIndex::SplitParent(InsertHint* hint) {
  const int depth = hint->depth_ - 1;
  const Inner& parent = *hint->steps_[depth].node;
  assert(HasFullParent(*hint));
  Placed separators[kSlots];
  InOrder(parent, separators);
  Node* children[kSlots + 1];
  ChildrenInOrder(parent, children);
  SplitInner(hint, depth, separators, children, kSlots, /*added_is_last=*/false);
}

}  // namespace leveldb
