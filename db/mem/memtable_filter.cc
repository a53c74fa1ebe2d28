#include "db/mem/memtable_filter.h"

#include <memory>

namespace leveldb {

void MemtableFilter::AddPart() {
  const int part = parts_.load(std::memory_order_relaxed);
  const size_t words = WordsIn(part);
  using Word = std::atomic<uint64_t>;
  auto* const first = reinterpret_cast<Word*>(arena_->AllocateAligned(words * sizeof(Word)));
  std::uninitialized_value_construct_n(first, words);
  words_[static_cast<size_t>(part)] = first;
  capacity_ += words * kKeysPerWord;
  parts_.store(part + 1, std::memory_order_release);
}

}  // namespace leveldb
