// How much of the pool is free, and how much of that is kept for flushes.
#ifndef BUSHSTORE_DB_JOBS_TIER_ROOM_H_
#define BUSHSTORE_DB_JOBS_TIER_ROOM_H_

#include <cstdint>

#include "db/state/db_state.h"

namespace leveldb {

// What a tree can take beyond its entries, in extents: ends of runs, fence block, filter.
constexpr uint64_t kExtentsPerTree = 4;

// A flush and whatever writers need meanwhile come before other jobs: what these begin with leaves
// so many memtables' trees free for them.
constexpr uint64_t kTreesKeptFree = 2;

// Guarded by the database mutex. REQUIRES, for all but NoteFlush: there is a tier.
class TierRoom {
 public:
  // `state` must outlive it.
  explicit TierRoom(const DbState* state) : state_(state) {}

  uint64_t FreeBytes() const;
  // What is free besides the trees of so many memtables.
  uint64_t FreeBesideFlushes(uint64_t trees) const;

  // Whether a job has found no room, at this use of the pool, and none has been made since. 0: no
  // job has.
  bool IsNoneSince(uint64_t failed_use) const;

  // Takes note of how large a memtable's tree is.
  void NoteFlush(uint64_t leaf_bytes) { flushed_leaf_bytes_ = leaf_bytes; }
  uint64_t flushed_leaf_bytes() const { return flushed_leaf_bytes_; }

 private:
  const DbState* const state_;
  uint64_t flushed_leaf_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TIER_ROOM_H_
