// Searches in a block: among its restart points, and along a run of entries.
#ifndef BUSHSTORE_TABLE_BLOCK_SEARCH_H_
#define BUSHSTORE_TABLE_BLOCK_SEARCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "iterator/key_order.h"
#include "leveldb/slice.h"
#include "table/block.h"

namespace leveldb {

// Sets *key to the key of restart point i, stored whole in the block. Returns false if the entry is
// malformed.
inline bool RestartKey(const Block& block, const KeyOrder& order, uint32_t i, Slice* key) {
  const char* const p = block.RestartPoint(i);
  BlockEntry entry;
  if (p == nullptr || !entry.Decode(p, block.limit())) return false;
  if (entry.shared != 0 || entry.unshared < order.trailer_size()) return false;
  *key = Slice(entry.key_suffix, entry.unshared);
  return true;
}

// Sets *found to the first of the restart points [first, last) whose key is at or after target, or
// `last`. Returns false if the block is malformed.
inline bool FindRestart(const Block& block, const KeyOrder& order, const Slice& target,
                        uint32_t first, uint32_t last, uint32_t* found) {
  while (first < last) {
    const uint32_t middle = first + (last - first) / 2;
    Slice key;
    if (!RestartKey(block, order, middle, &key)) return false;
    if (order.Compare(key, target) < 0) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  *found = first;
  return true;
}

// TargetTracker: tells, for the keys of a run one after the other, which still precede a target.
//
// With bytewise bodies most keys need no comparison at all. Suppose that the last key differs from
// the target at byte d, inside both bodies, and its byte is the smaller one. A next key that shares
// more than d bytes with the last key has the same byte there, and so precedes the target too.
class TargetTracker {
 public:
  TargetTracker(const KeyOrder& order, const Slice& target) : order_(order), target_(target) {}

  // Notes the key that the run begins with, which is known to precede the target.
  void Start(const Slice& key) {
    if (order_.has_bytewise_bodies()) Measure(key, 0);
  }

  // Returns whether `key` precedes the target. `shared` is how many bytes it has in common with the
  // key of the last call, which preceded the target.
  bool Precedes(const Slice& key, size_t shared) {
    if (!order_.has_bytewise_bodies()) return order_.Compare(key, target_) < 0;
    if (differs_inside_ && shared > common_ && order_.BodySize(key) > common_) return true;

    Measure(key, shared);
    if (differs_inside_) {
      return static_cast<uint8_t>(key[common_]) < static_cast<uint8_t>(target_[common_]);
    }
    if (key.size() != target_.size()) return key.size() < target_.size();
    return order_.trailer_size() > 0 && order_.comparator()->Compare(key, target_) < 0;
  }

 private:
  // Finds where the bodies of `key` and the target first differ. The last key shares common_ bytes
  // with the target and `shared` with `key`, so the smaller number of bytes need not be compared
  // again.
  void Measure(const Slice& key, size_t shared) {
    const size_t n = std::min(order_.BodySize(key), order_.BodySize(target_));
    const size_t known = std::min({common_, shared, n});
    common_ = known + CommonPrefixLength(key.data() + known, target_.data() + known, n - known);
    differs_inside_ = common_ < n;
  }

  const KeyOrder& order_;
  const Slice target_;
  size_t common_ = 0;  // bytes that the last key's body shares with the target's
  bool differs_inside_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BLOCK_SEARCH_H_
