// EntrySpacing: how far apart entries begin in the blocks of a table, as searches find it.
//
// Where values are of one size, a search can ask for the lines in which entries begin before it has
// come to any of them. With large values those are few lines of many.
#ifndef BUSHSTORE_TABLE_ENTRY_SPACING_H_
#define BUSHSTORE_TABLE_ENTRY_SPACING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace leveldb {

// Thread-safe. It learns from the first two entries that it is told of, and from no other: so
// readers that share a table do not take its line of cache from each other.
class EntrySpacing {
 public:
  EntrySpacing() = default;

  EntrySpacing(const EntrySpacing&) = delete;
  EntrySpacing& operator=(const EntrySpacing&) = delete;

  // In bytes; 0 where it is not known, or not the same everywhere.
  size_t bytes() const {
    const uint32_t state = state_.load(std::memory_order_relaxed);
    return state % 2 == 0 ? 0 : state / 2;
  }

  // A search has come to an entry of so many bytes, with its key.
  void Note(size_t entry_bytes) {
    const uint32_t state = state_.load(std::memory_order_relaxed);
    if (state % 2 == 0) Learn(state / 2, entry_bytes);
  }

 private:
  // Entries that differ by less are of one size. A key may share more or less with the one before.
  static constexpr size_t kSlack = 24;
  static constexpr size_t kLargest = size_t{1} << 30;

  void Learn(size_t first, size_t second) {
    const size_t known = second < kLargest ? second : kLargest;
    size_t state = 2 * known;
    if (first != 0) state = first - known + kSlack <= 2 * kSlack ? 2 * known + 1 : 1;
    state_.store(static_cast<uint32_t>(state), std::memory_order_relaxed);
  }

  // Twice what the first entry took, or twice the spacing and one: then it is settled.
  std::atomic<uint32_t> state_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_ENTRY_SPACING_H_
