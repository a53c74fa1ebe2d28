#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/bench_thread.h"
#include "benchmarks/key_codec.h"
#include "benchmarks/workloads.h"
#include "leveldb/filter_policy.h"

namespace leveldb::bench {

namespace {

// BlockFilters holds a filter for each block of --num keys in order, as tables do: the quality of a
// filter depends on how many keys share it, and so on the size of values.
class BlockFilters {
 public:
  BlockFilters(const BenchOptions& options, const FilterPolicy* policy)
      : policy_(policy), keys_each_(KeysOfABlock(options)) {
    const auto num = static_cast<uint64_t>(options.num);
    for (uint64_t first = 0; first < num; first += keys_each_) {
      filters_.push_back(Make(options, first, std::min(first + keys_each_, num)));
    }
  }

  bool MayHold(uint64_t number, const Slice& key) const {
    return policy_->KeyMayMatch(key, filters_[number / keys_each_]);
  }

  uint64_t keys_each() const { return keys_each_; }

 private:
  // Returns the number of keys of a block, which ends with the first entry that fills it.
  static uint64_t KeysOfABlock(const BenchOptions& options) {
    const uint64_t entry = static_cast<uint64_t>(options.key_prefix) + kKeyDigits +
                           static_cast<uint64_t>(options.value_size);
    return (static_cast<uint64_t>(options.block_size) + entry - 1) / entry;
  }

  std::string Make(const BenchOptions& options, uint64_t first, uint64_t end) const {
    KeyBuffer buffer(static_cast<size_t>(options.key_prefix));
    std::vector<std::string> keys;
    for (uint64_t number = first; number < end; ++number) {
      buffer.Set(number);
      keys.push_back(buffer.key().ToString());
    }
    const std::vector<Slice> slices(keys.begin(), keys.end());
    std::string filter;
    policy_->CreateFilter(slices.data(), static_cast<int>(slices.size()), &filter);
    return filter;
  }

  const FilterPolicy* const policy_;
  const uint64_t keys_each_;
  std::vector<std::string> filters_;
};

}  // namespace

// Here "found" counts the wrong answers: keys that a filter did not rule out.
void AskFilters(BenchThread& thread) {
  const BenchOptions& options = thread.options();
  if (options.bloom_bits < 0) {
    thread.stats().SetMessage("(no filter: nothing is ruled out)");
    return;
  }
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(options.bloom_bits));
  const BlockFilters filters(options, policy.get());
  KeyBuffer key(static_cast<size_t>(options.key_prefix));
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    const uint64_t number = thread.RandomKey();
    key.Set(number);
    thread.stats().BeginOperation();
    const bool may_hold = filters.MayHold(number, key.NearMiss());
    thread.stats().EndOperation();
    if (may_hold) thread.stats().AddFound();
  }
  thread.stats().SetMessage("(" + std::to_string(filters.keys_each()) + " keys a filter)");
}

}  // namespace leveldb::bench
