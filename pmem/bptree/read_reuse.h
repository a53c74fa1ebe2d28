// ReadReuse: estimates whether keys that are read are soon read again.
//
// A value that is read only once should bypass the caches: it would displace the filters, hints and
// leaves that lead to values. A value that is read repeatedly should be cached. A sample of the
// keys tells the two cases apart. Keys are sampled by their hashes, because a sample of reads would
// hardly ever contain the same key twice (Waldspurger, Park, Garthwaite and Ahmad, Efficient MRC
// Construction with SHARDS, 2015): of one key in 64, a key that is read again before 256 other
// sampled keys corresponds to a reuse distance of some 16,000 keys.
#ifndef BUSHSTORE_PMEM_BPTREE_READ_REUSE_H_
#define BUSHSTORE_PMEM_BPTREE_READ_REUSE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "port/cache_line.h"

namespace leveldb {

// Thread-safe. Concurrent calls may lose a few samples.
class ReadReuse {
 public:
  // Records that a key with this HashKey64 has been read.
  void OnRead(uint64_t hash) {
    if (hash % kKeysPerSample == 0) Sample(hash);
  }

  // Returns whether at least a quarter of the recent reads were of keys that had been read shortly
  // before; true until that is known.
  bool IsHigh() const { return is_high_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kKeysPerSample = 64;
  static constexpr size_t kSlots = 256;
  static constexpr uint32_t kSamplesPerAnswer = 256;
  static constexpr uint32_t kRepeatsIfHigh = kSamplesPerAnswer / 4;

  void Sample(uint64_t hash);

  std::atomic<bool> is_high_{true};                        // not on the samples' cache line
  alignas(kApartBytes) std::atomic<uint32_t> samples_{0};  // since the last decision
  std::atomic<uint32_t> repeats_{0};                       // among them
  // The high half of the hash of the key that was read last in each slot; 0: none yet.
  std::array<std::atomic<uint32_t>, kSlots> keys_{};
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_READ_REUSE_H_
