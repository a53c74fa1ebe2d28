// Extents: which extents of a pool are in use, and by how many.
//
// An extent is an aligned piece of a slab; its place is a multiple of the extent size. Occupancy is
// a matter of DRAM alone: when a pool has been opened all extents are free, and the code that
// finds one named by a tree or a log marks it. What is not marked is free again, so nothing can
// leak.
//
// Every extent has a count of references. Trees, logs and memtables hold them; at zero the extent
// is free. What it holds stays there, but for the header of a tree that the database has given up
// (Forget): a repair that lacks a part of the manifest takes what trees it finds. Extents that have
// been written since the pool was opened are given out before others: touching fresh memory costs
// as much as the write itself.
#ifndef BUSHSTORE_PMEM_MEDIA_EXTENTS_H_
#define BUSHSTORE_PMEM_MEDIA_EXTENTS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"
#include "port/mutex.h"

namespace leveldb {

// Thread-safe.
class Extents {
 public:
  // Everything in the pool's slabs is free at first. The pool must outlive the object.
  explicit Extents(Pool* pool);
  ~Extents();

  Extents(const Extents&) = delete;
  Extents& operator=(const Extents&) = delete;

  Pool* pool() const { return pool_; }
  uint64_t extent_size() const { return extent_size_; }

  // Takes a run of `count` neighbouring extents, the first at *run, each with one reference. Lets
  // the pool grow if there is none. IOError when that is not possible: the message names the pool,
  // its size and the way out. REQUIRES: count > 0.
  Status Reserve(uint32_t count, PoolOffset* run);

  // One reference more on each of `count` neighbouring extents from `extent` on. REQUIRES: the
  // caller holds one on each already.
  void AddReference(PoolOffset extent, uint32_t count = 1);

  // Gives a reference back. At the last one the extent is free, or kept aside (HoldReleases).
  void Release(PoolOffset extent, uint32_t count = 1);

  // Release of extents that nothing on the medium names, or nothing any more since the last edit
  // was synced: if one is free now, and a tree begins in it, that cannot be found any more.
  void Forget(PoolOffset extent, uint32_t count = 1);

  // Erases the trees in all extents that are free: a crash leaves some that nothing names.
  void ForgetFree();

  // The salt in the header of a value extent, so that it need not be read there again: 0 until it
  // is noted, when the extent has been given out anew, and of no extent at all. REQUIRES: of an
  // extent, the caller holds a reference.
  uint64_t value_salt(PoolOffset extent) const {
    const size_t index = IndexOf(extent);
    return index < value_salts_.size() ? value_salts_[index].load(std::memory_order_relaxed) : 0;
  }
  void NoteValueSalt(PoolOffset extent, uint64_t salt) {
    value_salts_[IndexOf(extent)].store(salt, std::memory_order_relaxed);
  }

  // When a database is being opened: one reference on an extent that a tree or a log names.
  // Corruption if there is no such extent.
  Status MarkUsed(PoolOffset extent, uint32_t count = 1);

  // From HoldReleases(true) on, extents that lose their last reference are not given out again
  // until HoldReleases(false): what the manifest on the medium names may still need them. After
  // that nothing does, as with Forget.
  void HoldReleases(bool hold);

  // Bytes in extents that are in use (or kept aside), and free in the slabs of now.
  uint64_t used_bytes() const;
  uint64_t free_bytes() const;
  // What the extents can hold together when the pool has grown to its ceiling.
  uint64_t capacity_bytes() const;
  // used_bytes in parts of capacity_bytes: 0 to 1.
  double use() const;
  // Bytes of the longest run that is free in the slabs of now.
  uint64_t largest_free_run() const;
  // References on the extent; 0 if it is free or no extent at all.
  uint32_t references(PoolOffset extent) const;

  // Prepares ahead of Reserve in a small step: touches one fresh extent, or lets the pool grow.
  // Returns false if enough is ready: 32 MiB, or so many bytes as writers may take before this is
  // called again, but no more than an eighth of the pool. For a background thread.
  bool PrefaultStep(uint64_t bytes_until_next = 0);

 private:
  // A bit per extent.
  using Bits = std::vector<uint64_t>;

  static constexpr size_t kNone = ~size_t{0};

  size_t IndexOf(PoolOffset extent) const { return static_cast<size_t>(extent / extent_size_); }
  // Makes free what slabs that the pool has got since hold.
  void AdoptSlabs() EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  size_t FindRun(uint32_t count, bool warm) const EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  size_t FindCold() const EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Take(size_t index, uint32_t count) EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void DropReferences(PoolOffset extent, uint32_t count, bool erases_trees)
      EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Free(size_t index) EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EraseTree(size_t index) EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  uint64_t CapacityLocked() const EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Status GrowFrom(uint64_t bytes_before, uint64_t at_least_bytes);
  Status FullError(const Status& why, uint32_t count) const;

  Pool* const pool_;
  const uint64_t extent_size_;

  std::vector<std::atomic<uint64_t>> value_salts_;

  Mutex growth_mutex_;  // one thread lets the pool grow; taken before mutex_
  mutable Mutex mutex_;
  std::vector<uint32_t> references_ GUARDED_BY(mutex_);
  Bits free_ GUARDED_BY(mutex_);
  Bits warm_ GUARDED_BY(mutex_);  // written since the pool was opened, or touched ahead
  size_t slabs_seen_ GUARDED_BY(mutex_) = 0;
  uint64_t bytes_seen_ GUARDED_BY(mutex_) = 0;     // in those slabs
  bool growth_failed_ GUARDED_BY(mutex_) = false;  // at the last attempt
  uint64_t usable_extents_ GUARDED_BY(mutex_) = 0;
  uint64_t free_extents_ GUARDED_BY(mutex_) = 0;
  uint64_t warm_free_extents_ GUARDED_BY(mutex_) = 0;
  bool hold_releases_ GUARDED_BY(mutex_) = false;
  std::vector<size_t> held_ GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_EXTENTS_H_
