// Computes how much of the pool is free, and how much of that is reserved for flushes.
#ifndef BUSHSTORE_DB_JOBS_TIER_ROOM_H_
#define BUSHSTORE_DB_JOBS_TIER_ROOM_H_

#include <cstdint>

#include "db/state/db_state.h"

namespace leveldb {

// The extents that a tree can take beyond its entries: ends of runs, tree footer, filter.
constexpr uint64_t kExtentsPerTree = 4;

// The number of memtables' trees for which other jobs leave room when they begin: a flush, and the
// room that writers need meanwhile, have priority.
constexpr uint64_t kTreesKeptFree = 2;

// Guarded by the database mutex.
// REQUIRES, for all but NoteFlush: there is a tier.
class TierRoom {
 public:
  // `state` must outlive it.
  explicit TierRoom(const DbState* state) : state_(state) {}

  uint64_t FreeBytes() const;
  // Returns the free bytes in excess of the room for the trees of `trees` memtables.
  uint64_t FreeBesideFlushes(uint64_t trees) const;

  // Returns whether a job has found no room when `failed_use` bytes of the pool were in use, and no
  // room has been made since. 0: no job has failed.
  bool IsNoneSince(uint64_t failed_use) const;

  // Records the size of the tree of a flushed memtable.
  void NoteFlush(uint64_t leaf_bytes) { flushed_leaf_bytes_ = leaf_bytes; }
  uint64_t flushed_leaf_bytes() const { return flushed_leaf_bytes_; }

 private:
  const DbState* const state_;
  uint64_t flushed_leaf_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TIER_ROOM_H_
