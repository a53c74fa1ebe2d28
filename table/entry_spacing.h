// EntrySpacing: estimates the distance between the starts of entries in the blocks of a table.
//
// Where values have equal sizes, a search can prefetch the lines in which entries begin before it
// reads any of them. With large values those are few of the block's lines.
#ifndef BUSHSTORE_TABLE_ENTRY_SPACING_H_
#define BUSHSTORE_TABLE_ENTRY_SPACING_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"

namespace leveldb {

// Thread-safe. Learns from the first two entries that are noted, and writes nothing afterwards, so
// that readers that share a table do not contend for its cache line.
class EntrySpacing {
 public:
  EntrySpacing() = default;

  EntrySpacing(const EntrySpacing&) = delete;
  EntrySpacing& operator=(const EntrySpacing&) = delete;

  // Returns the distance in bytes; 0 if it is not known, or not uniform.
  size_t bytes() const {
    const uint64_t state = state_.load(std::memory_order_relaxed);
    return (state & kSettled) == 0 ? 0 : SizeIn(state);
  }

  // Notes an entry, including its key, that a search has found at entry.data().
  void Note(const Slice& entry) {
    const uint64_t state = state_.load(std::memory_order_relaxed);
    if ((state & kSettled) == 0) Learn(state, entry);
  }

 private:
  // Entries whose sizes differ by less count as equal. A key may share more or less with the one
  // before.
  static constexpr size_t kSlack = 24;
  static constexpr size_t kLargest = size_t{1} << 30;
  static constexpr uint64_t kSettled = 1;

  static size_t SizeIn(uint64_t state) { return (state & UINT32_MAX) >> 1; }
  static uint64_t PlaceOf(const Slice& entry) {
    return reinterpret_cast<uintptr_t>(entry.data()) << 32;
  }

  void Learn(uint64_t first, const Slice& entry) {
    const size_t size = std::min(entry.size(), kLargest);
    uint64_t state = PlaceOf(entry) | size << 1;
    if (first != 0) {
      if (PlaceOf(entry) == (first & ~uint64_t{UINT32_MAX})) return;  // the same once more
      const bool is_like_the_first = SizeIn(first) - size + kSlack <= 2 * kSlack;
      state = is_like_the_first ? size << 1 | kSettled : kSettled;
    }
    state_.store(state, std::memory_order_relaxed);
  }

  // Before it is settled: the low half of the first entry's address in the high half, and twice its
  // size. Afterwards: twice the spacing, and kSettled.
  std::atomic<uint64_t> state_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_ENTRY_SPACING_H_
