// LeafHints: tells in which part of a leaf a key lies, so that only that part is prefetched.
//
// The entries are a cache miss of their own after the one for the leaf's head, so a read prefetches
// them together with the head. A leaf is cut into eight sections of equal length in bytes; a hint
// describes where the sections begin by the two bytes of user key that follow the leaf's prefix:
//
//   hint    prefix length + 1 | bound 1 | ... | bound 7          16 bits each; 0 first: not known
//
// Bound j belongs to the first entry that begins in section j or after it; it is all ones if there
// is none. A hint is learned when its leaf is read for the first time, and is not part of the
// tree's contents. It is never wrong for a key of the leaf, but leaves several sections possible
// where bounds are equal.
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

// Thread-safe: threads that learn the hint of the same leaf store the same words.
class LeafHints {
 public:
  LeafHints() = default;  // for no leaves: no hints, and none wanted
  explicit LeafHints(size_t leaves);

  // Returns the part of the leaf in which entries of the user key begin, if the leaf has any, and
  // the sections after it that these reach through; the whole leaf if there is no hint.
  // REQUIRES: `leaf_size` is the size of the leaf.
  LeafPart Find(size_t leaf, size_t leaf_size, const Slice& user_key) const;

  // Returns whether the hint of the leaf is still to be learned.
  bool IsWanted(size_t leaf) const {
    return leaf < leaves_ && hints_[leaf].words[0].load(std::memory_order_relaxed) == 0;
  }
  // Learns the hint of the leaf that `view` has opened; does nothing if the leaf is malformed.
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
