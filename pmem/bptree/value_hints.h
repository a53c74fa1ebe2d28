// ValueHints: tells where the values of keys lie, so that they are prefetched together with the
// leaf.
//
// A value in an extent of its own is the longest cache miss of a point read, and without a hint it
// begins only after the miss for the leaf. A hint is found by the hash of the key in a table in
// DRAM, so that the two misses overlap. It only tells what to prefetch: the entry in the leaf tells
// where the value is. All trees of a database share one table, whose size does not depend on
// theirs.
//
//   bucket   0   tags     fixed16[10]  of ten keys: bits 0-15 of their hashes, 1 for 0; 0: free
//           20   next     4 bytes      the slot to be filled next, modulo ten
//           24   offsets  fixed32[10]  of their values in the pool, in units of 64 bytes
//
// The high half of a hash chooses the bucket; there is one bucket for eight values. In a full
// bucket a new hint replaces the oldest. Hints are not part of a tree's contents: they are learned
// when a tree is read and, for a tree that will stay or is flushed while there are reads, when it
// is built.
#ifndef BUSHSTORE_PMEM_BPTREE_VALUE_HINTS_H_
#define BUSHSTORE_PMEM_BPTREE_VALUE_HINTS_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "pmem/bptree/read_reuse.h"
#include "pmem/media/pool_offset.h"
#include "util/prefetch.h"

namespace leveldb {

// Thread-safe. Threads that learn concurrently may lose hints, or mix two up.
class ValueHints {
 public:
  ValueHints() = default;  // no hints, and none are learned
  // Allocates room for that many values and touches all of its memory. If that fails, there are no
  // hints.
  explicit ValueHints(uint64_t values);

  // Returns where the value of the key with this HashKey64 may lie; kNoPoolOffset if not known.
  PoolOffset Find(uint64_t hash) const;

  // Prefetches the line that Find reads.
  void Prefetch(uint64_t hash) const {
    if (count_ != 0) PrefetchLine(&BucketOf(hash));
  }

  // AreReused returns whether values are soon read again, as far as is known (read_reuse.h). OnRead
  // records that the value of the key with this HashKey64 has been read.
  bool AreReused() const { return reuse_.IsHigh(); }
  void OnRead(uint64_t hash) const { reuse_.OnRead(hash); }

  // Learns where the value lies. Does nothing if `pool_offset` is too large or not a multiple of
  // 64.
  void Learn(uint64_t hash, PoolOffset pool_offset) const;

  uint64_t memory_bytes() const { return count_ * sizeof(Bucket); }

 private:
  static constexpr size_t kSlots = 10;

  struct alignas(64) Bucket {
    uint64_t tags[3];  // and, in the upper half of the last, `next`
    uint32_t pool_offsets[kSlots];
  };

  struct Free {
    void operator()(Bucket* p) const { free(p); }
  };

  Bucket& BucketOf(uint64_t hash) const { return buckets_[(hash >> 32) * count_ >> 32]; }
  static size_t SlotOf(Bucket& bucket, uint64_t tag);

  uint64_t count_ = 0;
  std::unique_ptr<Bucket[], Free> buckets_;
  mutable ReadReuse reuse_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_VALUE_HINTS_H_
