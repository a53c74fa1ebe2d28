#include "pmem/bptree/leaf_hints.h"

#include <algorithm>
#include <array>
#include <bit>

#include "port/cache_line.h"
#include "util/key_bytes.h"

namespace leveldb {

namespace {

constexpr size_t kSections = 8;

using Bounds = std::array<uint16_t, kSections>;  // the first is the prefix length + 1

size_t SectionBytes(size_t leaf_size) {
  const size_t line = kCacheLineBytes;
  return (leaf_size / kSections + line - 1) / line * line;
}

// Returns the two bytes from `prefix_length` on as a number that orders as they do, and is not 0.
uint16_t Fragment(const Slice& key, size_t prefix_length) {
  const uint64_t digest = DigestOf(key.data(), key.size(), prefix_length);
  return static_cast<uint16_t>(std::max<uint64_t>(digest >> 48, 1));
}

}  // namespace

LeafHints::LeafHints(size_t leaves) : leaves_(leaves), hints_(std::make_unique<Hint[]>(leaves)) {}

LeafPart LeafHints::Find(size_t leaf, size_t leaf_size, const Slice& user_key) const {
  const LeafPart whole{0, leaf_size};
  if (leaf >= leaves_) return whole;
  const uint64_t words[2] = {hints_[leaf].words[0].load(std::memory_order_relaxed),
                             hints_[leaf].words[1].load(std::memory_order_relaxed)};
  if (words[0] == 0 || words[1] == 0) return whole;
  const Bounds bounds = std::bit_cast<Bounds>(words);
  const uint16_t fragment = Fragment(user_key, bounds[0] - size_t{1});
  size_t first = 0;
  size_t last = 0;
  for (size_t i = 1; i < kSections; i++) {
    first += bounds[i] < fragment;
    last += bounds[i] <= fragment;
  }
  // Where no entry begins in the sections that follow, an entry of the last one may extend through
  // them.
  const auto bound = [&](size_t i) { return i < kSections ? bounds[i] : UINT16_MAX; };
  size_t end = last + 1;
  while (end < kSections && bound(end) == bound(end + 1)) end++;
  const size_t section = SectionBytes(leaf_size);
  return {first * section, std::min(end * section, leaf_size)};
}

void LeafHints::Learn(size_t leaf, const LeafView& view) const {
  if (view.prefix().size() >= UINT16_MAX) return;
  const size_t section = SectionBytes(view.size());
  Bounds bounds;
  bounds.fill(UINT16_MAX);
  bounds[0] = static_cast<uint16_t>(view.prefix().size() + 1);
  size_t next = 1;
  for (size_t i = 0; i < view.count() && next < kSections; i++) {
    const size_t start = static_cast<size_t>(view.EntryStart(i) - view.data());
    if (start < next * section) continue;
    LeafEntry entry;
    if (!view.ReadEntry(i, &entry)) return;
    const uint16_t fragment = Fragment(entry.suffix, 0);
    for (; next < kSections && next * section <= start; next++) bounds[next] = fragment;
  }
  const auto words = std::bit_cast<std::array<uint64_t, 2>>(bounds);
  hints_[leaf].words[0].store(words[0], std::memory_order_relaxed);
  hints_[leaf].words[1].store(words[1], std::memory_order_relaxed);
}

}  // namespace leveldb
