// MemtableFilter tells from a few lines of memory that a key is not in a memtable, as is the case
// for most keys that are read: a Bloom filter that grows with the memtable. One writer, any number
// of concurrent readers.
//
// A key sets four bits of one word. The filter begins with a part of 2 KiB. A part is full when
// more keys would raise its false positives above one percent; then a part of eight times its size
// follows. A reader checks all parts, which takes less time than the first two levels of the index.
#ifndef BUSHSTORE_DB_MEM_MEMTABLE_FILTER_H_
#define BUSHSTORE_DB_MEM_MEMTABLE_FILTER_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "util/arena.h"
#include "util/prefetch.h"

namespace leveldb {

class MemtableFilter {
 public:
  // `arena` is not owned and must outlive the filter, which allocates its memory there.
  explicit MemtableFilter(Arena* arena) : arena_(arena) {}

  MemtableFilter(const MemtableFilter&) = delete;
  MemtableFilter& operator=(const MemtableFilter&) = delete;

  // Adds the key with that HashKey64. The caller counts the keys added before, since a counter in
  // the filter would invalidate the lines that readers use with each key. REQUIRES: no other Add
  // runs.
  void Add(uint64_t hash, uint64_t keys_before) {
    if (keys_before == capacity_) AddPart();
    const int last = parts_.load(std::memory_order_relaxed) - 1;
    std::atomic<uint64_t>& word = WordOf(last, hash);
    word.store(word.load(std::memory_order_relaxed) | BitsOf(hash), std::memory_order_relaxed);
  }

  // Prefetches the memory that Add of the same hash changes. Thread-safe.
  void PrefetchForAdd(uint64_t hash) const {
    const int parts = parts_.load(std::memory_order_relaxed);
    if (parts > 0) PrefetchLineToWrite(&WordOf(parts - 1, hash));
  }

  // Prefetches the memory that MayContain reads, except for the first part, which is usually in the
  // cache. Thread-safe.
  void Prefetch(uint64_t hash) const {
    for (int part = parts_.load(std::memory_order_acquire); part-- > 1;) {
      PrefetchLine(&WordOf(part, hash));
    }
  }

  // Returns false only if no key of that hash was added before the caller learned of it.
  // Thread-safe.
  bool MayContain(uint64_t hash) const {
    const uint64_t bits = BitsOf(hash);
    for (int part = parts_.load(std::memory_order_acquire); part-- > 0;) {
      if ((WordOf(part, hash).load(std::memory_order_relaxed) & bits) == bits) return true;
    }
    return false;
  }

 private:
  static constexpr size_t kFirstWords = 256;
  static constexpr size_t kKeysPerWord = 4;
  static constexpr int kGrowthShift = 3;
  static constexpr int kMaxParts = 16;  // memory runs out before this is reached

  static constexpr size_t WordsIn(int part) { return kFirstWords << (kGrowthShift * part); }

  // The word is chosen by the low half of the hash, the bits in it by the high one.
  static uint64_t BitsOf(uint64_t hash) {
    return uint64_t{1} << (hash >> 58) | uint64_t{1} << (hash >> 52 & 63) |
           uint64_t{1} << (hash >> 46 & 63) | uint64_t{1} << (hash >> 40 & 63);
  }
  std::atomic<uint64_t>& WordOf(int part, uint64_t hash) const {
    return words_[static_cast<size_t>(part)][hash & (WordsIn(part) - 1)];
  }

  void AddPart();

  Arena* const arena_;
  uint64_t capacity_ = 0;  // of all parts, in keys
  std::atomic<int> parts_{0};
  std::array<std::atomic<uint64_t>*, kMaxParts> words_{};  // constant once counted in parts_
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_MEMTABLE_FILTER_H_
