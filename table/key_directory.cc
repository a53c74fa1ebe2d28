#include "table/key_directory.h"

#include <algorithm>
#include <cstring>

#include "table/block_search.h"
#include "util/key_bytes.h"
#include "util/prefetch.h"

namespace leveldb {

namespace {

constexpr size_t kGroup = 16;

// The number of words up to which all are compared: four cache lines.
constexpr size_t kComparedAtOnce = 32;

// The distance by which an entry may lie from where it is expected.
constexpr size_t kEntrySlack = 64;

size_t CountBelow(const uint64_t* words, size_t n, uint64_t word) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) count += words[i] < word ? 1 : 0;
  return count;
}

// Returns the index of the first of n sorted words that is not below `word`. Has no branch that
// depends on the data, since the processor could not predict the outcome of a step.
size_t LowerBound(const uint64_t* words, size_t n, uint64_t word) {
  const uint64_t* first = words;
  while (n > kComparedAtOnce) {
    const size_t half = n / 2;
    const size_t below = first[half - 1] < word ? 1 : 0;
    first += half & (0 - below);
    n -= half;
  }
  return static_cast<size_t>(first - words) + CountBelow(first, n, word);
}

// Prefetches the restart points of the group at `start`, of which one or two will be read.
void PrefetchRestarts(const Block& block, size_t start) {
  const size_t end = std::min<size_t>(start + kGroup, block.restart_count());
  Prefetch(block.RestartSlot(start),
           static_cast<size_t>(block.RestartSlot(end) - block.RestartSlot(start)));
}

// Prefetches the entry at restart point i and the one before it, on the assumption that all are
// equally long.
void PrefetchEntry(const Block& block, uint32_t i) {
  const size_t size = static_cast<size_t>(block.limit() - block.entries());
  PrefetchAround(block.entries(), size, size * i / block.restart_count(), kEntrySlack);
}

}  // namespace

void KeyDirectory::Build(const Block& block, const KeyOrder& order) {
  words_.clear();
  samples_.clear();
  const uint32_t count = block.restart_count();
  if (!order.has_bytewise_bodies() || count < 2) return;
  Slice first;
  Slice last;
  if (!RestartKey(block, order, 0, &first) || !RestartKey(block, order, count - 2, &last)) return;
  const size_t n = std::min(order.BodySize(first), order.BodySize(last));
  prefix_ = Slice(first.data(), CommonPrefixLength(first.data(), last.data(), n));

  words_.reserve(count - 1);
  for (uint32_t i = 0; i < count - 1; i++) {
    Slice key;
    if (!RestartKey(block, order, i, &key)) {
      words_.clear();
      return;
    }
    words_.push_back(WordOf(key.data(), order.BodySize(key)));
  }
  for (size_t end = kGroup; end <= words_.size(); end += kGroup) {
    samples_.push_back(words_[end - 1]);
  }
}

bool KeyDirectory::Find(const Block& block, const KeyOrder& order, const Slice& target,
                        uint32_t* found) const {
  const uint32_t count = block.restart_count();
  if (words_.empty()) return FindRestart(block, order, target, 0, count, found);

  const size_t body = order.BodySize(target);
  const size_t n = std::min(body, prefix_.size());
  const int prefix_order = CompareBytes(target.data(), n, prefix_.data(), prefix_.size());
  if (prefix_order < 0) {
    *found = 0;
    return true;
  }
  const uint32_t words = count - 1;
  if (prefix_order > 0) return FindRestart(block, order, target, words, count, found);

  const uint64_t word = WordOf(target.data(), body);
  const size_t start = kGroup * LowerBound(samples_.data(), samples_.size(), word);
  PrefetchRestarts(block, start);
  const uint32_t first = static_cast<uint32_t>(FirstAtOrAfter(word, start));
  PrefetchEntry(block, first);
  uint32_t last = first;
  if (first < words && words_[first] == word) {
    const auto end = std::upper_bound(words_.begin() + first, words_.end(), word);
    last = static_cast<uint32_t>(end - words_.begin());
  }
  if (last == words) last = count;
  return FindRestart(block, order, target, first, last, found);
}

// Returns the index of the first word that is not below `word`; it is in the group at `start` or
// directly after it.
size_t KeyDirectory::FirstAtOrAfter(uint64_t word, size_t start) const {
  return start + CountBelow(words_.data() + start, std::min(kGroup, words_.size() - start), word);
}

// Returns the eight bytes of a body after the common prefix, padded with zeros. The body with the
// lower number comes first; equal numbers do not tell the order.
uint64_t KeyDirectory::WordOf(const char* body, size_t body_size) const {
  const size_t skip = prefix_.size();
  if (body_size >= skip + 8) return LoadBigEndian64(body + skip);
  char padded[8] = {0};
  if (body_size > skip) memcpy(padded, body + skip, body_size - skip);
  return LoadBigEndian64(padded);
}

}  // namespace leveldb
