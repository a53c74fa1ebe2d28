// MemtableIndex orders a memtable's entries: it is a B+tree of entry addresses with one writer and
// any number of concurrent readers, without locks and without data races.
//
// An entry is a piece of the arena that never moves or changes:
//
//   0   user key size    fixed32
//   4   value size       fixed32
//   8   user key
//       trailer          fixed64     (with the user key before it: the internal key)
//       value
//
// How readers and the writer are synchronised (the permutation word is from Masstree, Mao et al.,
// 2012):
//
//  * A node has 15 slots. The writer fills the next free slot and then publishes it with one
//    release store of the node's permutation (permutation.h). Slots that a permutation makes
//    visible are never changed again, so a reader works on the permutation it loaded.
//  * A full node is split into two new nodes. The old one is left as it is: readers still in it
//    find everything that was there when they arrived, and its memory is freed with the memtable.
//  * The parent first gets the new right node (by its permutation), then the new left one (by an
//    atomic child pointer). A reader that saw the new pointer but the old permutation detects this,
//    because it loads the permutation again after the pointer, and repeats the search.
//  * Whatever a reader reaches was current at some moment after it started; therefore everything
//    written before it started is found.
//
// Under the bytewise comparator each slot holds a digest: the four bytes of the user key that
// follow a prefix shared by all keys of the node's range. The leaves that result from a split
// inherit its prefix and digests as long as these tell the entries apart, or if no others exist;
// other new nodes take the whole shared prefix. A search counts smaller digests and reads the keys
// only if digests are equal. Other comparators search by comparing keys.
//
// A node that is first or last in its level, as the root is, has an unbounded range, whose keys
// need not share anything. Its prefix is that of the key in its first slot; keys before all keys
// with that prefix have the smallest digest, keys after them the largest one.
#ifndef BUSHSTORE_DB_MEM_MEMTABLE_INDEX_H_
#define BUSHSTORE_DB_MEM_MEMTABLE_INDEX_H_

#include <atomic>
#include <cstdint>

#include "db/mem/digest_rank.h"
#include "entry/internal_key.h"
#include "util/arena.h"

namespace leveldb {

namespace memtable_entry {

constexpr size_t kHeaderSize = 8;

inline size_t Size(size_t user_key_size, size_t value_size) {
  return kHeaderSize + user_key_size + kTrailerSize + value_size;
}
inline Slice UserKey(const char* entry) {
  return Slice(entry + kHeaderSize, LoadFixed32(entry));
}
inline Slice Key(const char* entry) {
  return Slice(entry + kHeaderSize, LoadFixed32(entry) + kTrailerSize);
}
inline uint64_t Trailer(const char* entry) {
  return LoadFixed64(entry + kHeaderSize + LoadFixed32(entry));
}
inline Slice Value(const char* entry) {
  return Slice(entry + kHeaderSize + LoadFixed32(entry) + kTrailerSize, LoadFixed32(entry + 4));
}

}  // namespace memtable_entry

class MemtableIndex {
 private:
  struct Node;
  struct Leaf;
  struct Inner;
  struct Bounds;
  static constexpr int kMaxHeight = 24;  // a height of 12 would need 15^12 / 2^12 entries
  struct Position {                      // an entry, by its rank in a permutation of a leaf
    const Leaf* leaf;
    uint64_t permutation;
    int rank;
  };

 public:
  // Neither argument is owned; both must outlive the index. Nodes are allocated from `arena`.
  MemtableIndex(const InternalKeyComparator* comparator, Arena* arena);
  MemtableIndex(const MemtableIndex&) = delete;
  MemtableIndex& operator=(const MemtableIndex&) = delete;

  // The writer's path from the root: the inner nodes passed, each with the rank of the child taken
  // (-1: the first child), then the node that the path has reached.
  class InsertHint {
   private:
    friend class MemtableIndex;

    struct Step {
      Inner* node;
      int rank;
    };

    void Forget() {
      node_ = nullptr;
      depth_ = 0;
    }

    // Returns the bounds of the node at steps_[at], or, if `at` is depth_, of the node reached.
    Bounds BoundsOf(int at) const;

    Slice user_key_;
    Node* node_ = nullptr;  // the node reached; nullptr: not begun
    int level_ = 0;         // of node_
    int depth_ = 0;
    Step steps_[kMaxHeight];
  };

  // Adds an entry, which must stay in place as long as the index. Its user key and its trailer are
  // passed separately, since loads from the entry, which has just been written, would stall. `hint`
  // has not begun, or has been advanced for the entry's user key since the last Insert; afterwards
  // it has not begun. REQUIRES: no other Insert runs; no entry with an equal internal key is in the
  // index, and if `hint` has begun, no newer entry with an equal user key.
  // index, and if `hint` has begun, none that is newer with an equal user key.
  void Insert(const char* entry, const Slice& user_key, uint64_t trailer, InsertHint* hint);

  // Begin and Advance descend before Insert in two steps: to the lowest inner node, then to the
  // leaf. Neither reads the node that it reaches, but prefetches it. Only for the thread that
  // inserts; the bytes of the key must stay valid until Advance has returned.
  void Begin(const Slice& user_key, InsertHint* hint) const;
  void Advance(InsertHint* hint) const;

  // Returns the first entry at or after `internal_key`, or nullptr. Thread-safe.
  const char* FindFirstAtOrAfter(const Slice& internal_key) const;

  // Returns approximately which share of all entries comes before `internal_key`, from 0 to 1, as
  // estimated from the separators. The result does not decrease for a greater key, if nothing is
  // inserted meanwhile. Thread-safe.
  double ShareBefore(const Slice& internal_key) const;

  // Reads everything that inserting a version of `user_key` would read. Thread-safe.
  void PrefetchForInsert(const Slice& user_key) const;

  // A position in the entries. Thread-safe against Insert; one thread per cursor.
  class Cursor {
   public:
    // `index` must outlive the cursor.
    explicit Cursor(const MemtableIndex* index) : index_(index) {}

    bool Valid() const { return leaf_ != nullptr; }
    const char* entry() const;  // REQUIRES: Valid()

    void Seek(const Slice& internal_key);  // to the first entry at or after the key
    void SeekToFirst();
    void SeekToLast();
    void Next();  // REQUIRES: Valid()
    void Prev();  // REQUIRES: Valid()

   private:
    void MoveTo(const Position& position);
    void PrefetchNextEntries() const;

    const MemtableIndex* index_;
    const Leaf* leaf_ = nullptr;
    uint64_t permutation_ = 0;
    int rank_ = 0;
  };

 private:
  static constexpr int kSlots = kDigestRoom - 1;
  static constexpr size_t kDigestBytes = sizeof(int32_t);

  struct SearchKey {
    Slice user_key;
    uint64_t trailer;
  };
  struct Prefix;
  struct Placed;
  struct Half;

  static int32_t DigestBehind(const Slice& user_key, size_t prefix_length);
  static int32_t DigestBehindFirst(const Slice& user_key, const Slice& first, size_t prefix_length);
  template <class AnyNode>
  int32_t Digest(const AnyNode& node, const Slice& user_key) const;
  int CompareWithEntry(const SearchKey& key, const char* entry) const;
  int CountByKeys(const char* const* keys, uint64_t permutation, const DigestRank& unknown,
                  const SearchKey& key, bool equal_is_before) const;
  template <class AnyNode>
  int CountBefore(const AnyNode* node, uint64_t permutation, int32_t digest, const SearchKey& key,
                  bool equal_is_before) const;
  template <class AnyNode>
  int CountBefore(const AnyNode* node, uint64_t permutation, const SearchKey& key,
                  bool equal_is_before) const;
  static Node* ChildAt(const Inner* inner, uint64_t permutation, int rank);
  static Node* NextDown(const Inner* inner, uint64_t permutation, int rank);

  Position FindPosition(const SearchKey& key) const;
  Position FindLastBefore(const SearchKey& key) const;
  static Position LastOf(const Node* node);

  static size_t SharedPrefix(const char* low, const char* high);
  Prefix PrefixOf(const Bounds& bounds, const char* first, const char* last) const;
  Leaf* NewLeaf(const Prefix& prefix);
  Inner* NewInner(const Prefix& prefix, int level);
  static void Append(Leaf* leaf, const Placed& added, int rank);
  void AppendChild(Inner* inner, const char* separator, Node* child, int rank);

  bool IsBehindAll(const SearchKey& key) const;
  void DescendTo(int level, const SearchKey& key, InsertHint* hint) const;
  template <class AnyNode>
  static void InOrder(const AnyNode& full, Placed* ordered);
  static void ChildrenInOrder(const Inner& full, Node** children);
  template <class Any>
  static void InsertAt(int at, const Any& more, Any* ordered, int count);
  static bool AreAlike(const Prefix& a, const Prefix& b);
  template <class AnyNode>
  void Fill(AnyNode* node, const Placed* keys, int count, bool have_digests) const;
  static void PrefetchEntries(const Placed* entries, int count);
  static void PrefetchBounds(const Bounds& bounds);
  void ChooseDigests(const Leaf& old, Half (&halves)[2]) const;
  Leaf* NewLeafOf(const Half& half);
  Inner* NewInnerOf(const Placed* separators, Node* const* children, int count, const Inner& old,
                    const Bounds& bounds, const char* first, const char* last);
  void SplitLeaf(InsertHint* hint, const Placed& added, const Slice& user_key, int rank);
  static const char* FirstKeyOf(const Node* node);
  void InstallSplit(InsertHint* hint, int depth, Node* left, const char* separator, Node* right);
  void SplitInner(InsertHint* hint, int depth, const Placed* separators, Node* const* children,
                  int count, bool added_is_last);
  static bool HasFullParent(const InsertHint& hint);
  void SplitAhead(const InsertHint& here);
  void SplitParent(InsertHint* hint);
  static Leaf* LeafBefore(const InsertHint& hint);

  const InternalKeyComparator* const comparator_;
  const bool use_digests_;
  Arena* const arena_;
  std::atomic<Node*> root_;

  // The writer's short cut for ascending keys.
  Leaf* last_leaf_;
  bool is_ascending_ = true;  // the entry added last is the last one

  // The path to a leaf below a full inner node that the next insertion splits; its key is no longer
  // valid. Not begun if there is none.
  InsertHint ahead_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_MEMTABLE_INDEX_H_
