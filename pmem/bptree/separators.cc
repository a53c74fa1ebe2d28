#include "pmem/bptree/separators.h"

#include <algorithm>
#include <cassert>

#include "util/coding.h"
#include "util/key_bytes.h"

namespace leveldb {

Separators::Separators(const InternalKeyComparator* comparator, const Slice& low, const Slice& high)
    : comparator_(comparator), low_(low.ToString()), high_(high.ToString()) {
  if (comparator->is_bytewise()) {
    prefix_length_ = CommonPrefixLength(low.data(), high.data(), std::min(low.size(), high.size()));
  }
}

void Separators::Append(const Slice& user_key, uint64_t trailer) {
  assert(user_key.size() >= prefix_length_);
  const bool has_trailer = trailer != kBeforeAllVersions;
  starts_.push_back(uint64_t{bytes_.size()} << 1 | (has_trailer ? 1 : 0));
  const size_t skipped = std::min(prefix_length_, user_key.size());
  bytes_.append(user_key.data() + skipped, user_key.size() - skipped);
  if (has_trailer) AppendFixed64(&bytes_, trailer);
}

// Returns separator i without the prefix that all of them share and without its trailer.
Slice Separators::Body(size_t i) const {
  const uint64_t begin = starts_[i] >> 1;
  uint64_t end = i + 1 < starts_.size() ? starts_[i + 1] >> 1 : bytes_.size();
  if ((starts_[i] & 1) != 0) end -= kTrailerSize;
  return Slice(bytes_.data() + begin, end - begin);
}

uint64_t Separators::Trailer(size_t i) const {
  if ((starts_[i] & 1) == 0) return kBeforeAllVersions;
  const Slice body = Body(i);
  return LoadFixed64(body.data() + body.size());
}

std::string Separators::UserKey(size_t i) const {
  const Slice body = Body(i);
  return low_.substr(0, prefix_length_).append(body.data(), body.size());
}

uint64_t Separators::memory_bytes() const {
  return bytes_.capacity() + starts_.capacity() * sizeof(starts_[0]) +
         nodes_.capacity() * sizeof(Node) + low_.capacity() + high_.capacity();
}

void Separators::Seal() {
  bytes_.shrink_to_fit();
  starts_.shrink_to_fit();
  if (starts_.empty() || !comparator_->is_bytewise()) return;
  size_t children = starts_.size() + 1;
  size_t total = 0;
  do {
    children = (children + kFanout - 1) / kFanout;
    total += children;
  } while (children > 1);
  nodes_.reserve(total);

  children = starts_.size() + 1;
  uint64_t stride = 1;  // children of the whole below each child of the level's nodes
  do {
    assert(levels_ < kMaxLevels);
    level_begin_[levels_++] = nodes_.size();
    children = (children + kFanout - 1) / kFanout;
    BuildLevel(children, stride);
    stride *= kFanout;
  } while (children > 1);
}

// Returns the key that bounds the children from number `children_before` on from the left.
std::string Separators::BoundKey(uint64_t children_before) const {
  if (children_before == 0) return low_;
  if (children_before > starts_.size()) return high_;
  return UserKey(children_before - 1);
}

void Separators::BuildLevel(size_t node_count, uint64_t stride) {
  for (size_t index = 0; index < node_count; index++) {
    const std::string left = BoundKey(index * kFanout * stride);
    const std::string right = BoundKey((index + 1) * kFanout * stride);
    Node node;
    node.prefix_length = static_cast<uint32_t>(
        CommonPrefixLength(left.data(), right.data(), std::min(left.size(), right.size())));
    node.count = 0;
    std::fill(std::begin(node.digests), std::end(node.digests), ~uint64_t{0});
    for (size_t r = 0; r < kFanout - 1; r++) {
      const uint64_t separator = (index * kFanout + r + 1) * stride - 1;
      if (separator >= starts_.size()) break;
      const Slice body = Body(separator);
      node.digests[r] = DigestOf(body.data(), body.size(), node.prefix_length - prefix_length_);
      node.count++;
    }
    nodes_.push_back(node);
  }
}

bool Separators::IsAtOrBefore(size_t i, const Slice& user_key, uint64_t trailer) const {
  const Slice body = Body(i);
  int order;
  if (comparator_->is_bytewise()) {
    const size_t skipped = std::min(prefix_length_, user_key.size());
    order = CompareBytes(body.data(), body.size(), user_key.data() + skipped,
                         user_key.size() - skipped);
  } else {
    order = comparator_->CompareUserKeys(body, user_key);
  }
  return order < 0 || (order == 0 && Trailer(i) >= trailer);
}

size_t Separators::FindByComparisons(const Slice& user_key, uint64_t trailer) const {
  size_t begin = 0;
  size_t end = starts_.size();
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (IsAtOrBefore(middle, user_key, trailer)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// Finds the first of 15 digests that is not smaller in four steps; compares equal ones in full.
size_t Separators::RankInNode(const Node& node, size_t level, size_t index, const Slice& user_key,
                              uint64_t trailer) const {
  const uint64_t digest = DigestOf(user_key.data(), user_key.size(), node.prefix_length);
  size_t rank = 0;
  for (size_t step = kFanout / 2; step > 0; step /= 2) {
    rank += node.digests[rank + step - 1] < digest ? step : 0;
  }
  while (rank < node.count && node.digests[rank] == digest) {
    const uint64_t separator = ((index * kFanout + rank + 1) << (4 * level)) - 1;
    if (!IsAtOrBefore(separator, user_key, trailer)) break;
    rank++;
  }
  return rank;
}

size_t Separators::Find(const Slice& user_key, uint64_t trailer) const {
  if (levels_ == 0) return FindByComparisons(user_key, trailer);
  size_t index = 0;
  for (size_t level = levels_; level-- > 0;) {
    const Node& node = nodes_[level_begin_[level] + index];
    index = index * kFanout + RankInNode(node, level, index, user_key, trailer);
  }
  assert(index <= starts_.size());
  return index;
}

}  // namespace leveldb
