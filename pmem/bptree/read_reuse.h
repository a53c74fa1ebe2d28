// ReadReuse: whether keys that are read are soon read again.
//
// What is read once is better kept out of the caches: it only takes the room of what leads to it,
// filters and hints and leaves. What is read again and again is better there. Which of the two
// reads are is told by a few of the keys. Keys are chosen by their hashes, as a choice of reads
// would hardly ever see one of them twice (Waldspurger, Park, Garthwaite and Ahmad, Efficient MRC
// Construction with SHARDS, 2015): among one in 64 keys, one that comes back before 256 others have
// been read would do so before some 16,000 of all.
#ifndef BUSHSTORE_PMEM_BPTREE_READ_REUSE_H_
#define BUSHSTORE_PMEM_BPTREE_READ_REUSE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "port/cache_line.h"

namespace leveldb {

// Safe to share. Threads at once may lose a few of the reads that count.
class ReadReuse {
 public:
  // Says that a key with this HashKey64 has been read.
  void OnRead(uint64_t hash) {
    if (hash % kKeysPerSample == 0) Sample(hash);
  }

  // Whether at least a quarter of the reads of late were of keys that had been read shortly before;
  // true until that is known.
  bool IsHigh() const { return is_high_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kKeysPerSample = 64;
  static constexpr size_t kSlots = 256;
  static constexpr uint32_t kSamplesPerAnswer = 256;
  static constexpr uint32_t kRepeatsIfHigh = kSamplesPerAnswer / 4;

  void Sample(uint64_t hash);

  std::atomic<bool> is_high_{true};                        // apart from what samples change
  alignas(kApartBytes) std::atomic<uint32_t> samples_{0};  // since the last answer
  std::atomic<uint32_t> repeats_{0};                       // among them
  // The high half of the hash of the key that was read last in each slot; 0: none yet.
  std::array<std::atomic<uint32_t>, kSlots> keys_{};
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_READ_REUSE_H_
