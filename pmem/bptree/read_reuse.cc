#include "pmem/bptree/read_reuse.h"

namespace leveldb {

void ReadReuse::Sample(uint64_t hash) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  std::atomic<uint32_t>& slot = keys_[hash / kKeysPerSample % kSlots];
  const auto key = static_cast<uint32_t>(hash >> 32);
  const uint32_t repeats = repeats_.load(kRelaxed) + (slot.load(kRelaxed) == key ? 1 : 0);
  const uint32_t samples = samples_.load(kRelaxed) + 1;
  slot.store(key, kRelaxed);
  const bool is_answer = samples >= kSamplesPerAnswer;
  samples_.store(is_answer ? 0 : samples, kRelaxed);
  repeats_.store(is_answer ? 0 : repeats, kRelaxed);
  const bool is_high = repeats >= kRepeatsIfHigh;
  if (is_answer && is_high != is_high_.load(kRelaxed)) is_high_.store(is_high, kRelaxed);
}

}  // namespace leveldb
