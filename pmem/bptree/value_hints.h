// ValueHints: where the values of keys lie, so that they are fetched while the leaf is.
//
// What a leaf leads to, a value in an extent of its own, is the longest wait of a point read, and
// it begins when that for the leaf is over. A hint is found by the hash of the key in a table in
// DRAM, so that both waits are one. It only says what to fetch: the entry in the leaf says where
// the value is. All trees of a database share one table, of a size that does not depend on theirs.
//
//   bucket   0   tags     fixed16[10]  of ten keys: bits 0-15 of their hashes, 1 for 0; 0: free
//           20   next     4 bytes      the slot to be filled next, modulo ten
//           24   places   fixed32[10]  of their values, in units of 64 bytes
//
// The high half of a hash chooses the bucket; for eight values there is one. In one that is full
// the oldest hint makes way. Hints are no part of what a tree is: they are learned when it is read,
// and, of one that is going to stay or is flushed while there are reads, when it is built.
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

// Safe to share. Threads that learn at once may lose hints, or mix two up.
class ValueHints {
 public:
  ValueHints() = default;  // nothing is known, and nothing learned
  // For so many values. Memory is taken, and written to at once. Without any it is as above.
  explicit ValueHints(uint64_t values);

  // Where the value of the key with this HashKey64 may lie; kNoPoolOffset if that is not known.
  PoolOffset Find(uint64_t hash) const;

  // Asks for the line that Find reads.
  void Prefetch(uint64_t hash) const {
    if (count_ != 0) PrefetchLine(&BucketOf(hash));
  }

  // Whether values are soon read again, as far as is known (read_reuse.h), and what tells so: that
  // the value of the key with this HashKey64 has been read.
  bool AreReused() const { return reuse_.IsHigh(); }
  void OnRead(uint64_t hash) const { reuse_.OnRead(hash); }

  // Learns where it lies, unless places so far up, or in between, have no hints.
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
