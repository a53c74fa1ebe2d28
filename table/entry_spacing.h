// EntrySpacing: how far apart entries begin in the blocks of a table, as searches find it.
//
// Where values are of one size, a search can ask for the lines in which entries begin before it has
// come to any of them. With large values those are few lines of many.
#ifndef BUSHSTORE_TABLE_ENTRY_SPACING_H_
#define BUSHSTORE_TABLE_ENTRY_SPACING_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"

namespace leveldb {

// Thread-safe. It learns from the first two entries that it is told of, and then no more, so that
// readers who share a table do not take its line of cache from each other.
class EntrySpacing {
 public:
  EntrySpacing() = default;

  EntrySpacing(const EntrySpacing&) = delete;
  EntrySpacing& operator=(const EntrySpacing&) = delete;

  // In bytes; 0 where it is not known, or not the same everywhere.
  size_t bytes() const {
    const uint64_t state = state_.load(std::memory_order_relaxed);
    return (state & kSettled) == 0 ? 0 : SizeIn(state);
  }

  // A search has come to this entry, which is told with its key, where it lies.
  void Note(const Slice& entry) {
    const uint64_t state = state_.load(std::memory_order_relaxed);
    if ((state & kSettled) == 0) Learn(state, entry);
  }

 private:
  // Entries that differ by less are of one size. A key may share more or less with the one before.
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

  // The low half of where the first entry lies, above twice its size; or, when it is settled, twice
  // the spacing and kSettled.
  std::atomic<uint64_t> state_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_ENTRY_SPACING_H_
