// LeafHints: in which part of a leaf a key lies, so that only that part is fetched.
//
// What a leaf's head leads to is a miss of its own, so a read asks for the entries together with
// the head. A leaf is cut into eight sections of equal length, in bytes; a hint tells where they
// begin, by the two bytes of user key that follow the leaf's prefix:
//
//   hint    prefix length + 1 | bound 1 | ... | bound 7          16 bits each; 0 first: not known
//
// Bound j is of the first entry that begins in section j or behind it, all ones if there is none.
// A hint is learned from its leaf when that is read for the first time, and is no part of what the
// tree is. It is never wrong for a key of the leaf, but leaves several sections possible where
// bounds are equal.
#ifndef BUSHSTORE_PMEM_BPTREE_LEAF_HINTS_H_
#define BUSHSTORE_PMEM_BPTREE_LEAF_HINTS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "leveldb/slice.h"
#include "pmem/bptree/node_layout.h"

namespace leveldb {

// A part of a leaf, in bytes from its start.
struct LeafPart {
  size_t begin = 0;
  size_t end = 0;
};

// Safe to share: threads that learn the hint of the same leaf store the same.
class LeafHints {
 public:
  LeafHints() = default;  // of no leaves: nothing is known, and no hint wanted
  explicit LeafHints(size_t leaves);

  // The part in which the entries of the user key begin, if the leaf has any, and the sections
  // behind it that they reach through; the whole leaf if it is not known. REQUIRES: `leaf_size` is
  // that of the leaf.
  LeafPart Find(size_t leaf, size_t leaf_size, const Slice& user_key) const;

  // Whether the hint of the leaf is to be learned.
  bool IsWanted(size_t leaf) const {
    return leaf < leaves_ && hints_[leaf].words[0].load(std::memory_order_relaxed) == 0;
  }
  // Learns the hint of that leaf, which is open in `view`; a malformed leaf has none.
  // REQUIRES: IsWanted(leaf), and keys are ordered by their bytes.
  void Learn(size_t leaf, const LeafView& view) const;

  uint64_t memory_bytes() const { return leaves_ * sizeof(Hint); }

 private:
  struct Hint {
    std::atomic<uint64_t> words[2];
  };

  size_t leaves_ = 0;
  std::unique_ptr<Hint[]> hints_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_LEAF_HINTS_H_
