// Extents: tracks which extents of a pool are in use, and by how many owners.
//
// An extent is an aligned piece of a slab; its pool offset is a multiple of the extent size.
// Occupancy is kept only in DRAM: when a pool has been opened all extents are free, and the code
// that finds an extent named by a tree or a log marks it as used. Extents that are not marked stay
// free, so nothing can leak.
//
// Every extent has a reference count. Trees, logs and memtables hold references; at zero the extent
// is free. Its contents stay, except for the header of a tree that the database has given up
// (Forget): a repair that lacks a part of the manifest uses the trees that it finds. Extents that
// have been written since the pool was opened are allocated before others, because the first touch
// of memory costs as much as the write itself.
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
  // All extents in the pool's slabs are free at first. The pool must outlive the object.
  explicit Extents(Pool* pool);
  ~Extents();

  Extents(const Extents&) = delete;
  Extents& operator=(const Extents&) = delete;

  Pool* pool() const { return pool_; }
  uint64_t extent_size() const { return extent_size_; }

  // Reserves a run of `count` adjacent extents with one reference each, and sets *run to the first.
  // Grows the pool if no such run is free. IOError if that is not possible: the message names the
  // pool, its size and the remedies. REQUIRES: count > 0.
  Status Reserve(uint32_t count, PoolOffset* run);

  // Adds a reference to each of `count` adjacent extents from `extent` on. REQUIRES: the caller
  // holds one on each already.
  void AddReference(PoolOffset extent, uint32_t count = 1);

  // Releases a reference on each extent. An extent without references is free, or held back
  // (HoldReleases).
  void Release(PoolOffset extent, uint32_t count = 1);

  // Same as Release, for extents that nothing on the medium names, or that nothing has named since
  // the last edit was synced: if a tree begins in an extent that becomes free, its header is
  // erased, so that the tree cannot be found any more.
  void Forget(PoolOffset extent, uint32_t count = 1);

  // Erases the headers of the trees in all free extents: a crash leaves trees that nothing names.
  void ForgetFree();

  // Returns the salt in the header of a value extent, so that the header need not be read again. 0
  // until it is noted, after the extent has been allocated anew, and for anything that is not an
  // extent. REQUIRES: if `extent` is an extent, the caller holds a reference on it.
  uint64_t value_salt(PoolOffset extent) const {
    const size_t index = IndexOf(extent);
    return index < value_salts_.size() ? value_salts_[index].load(std::memory_order_relaxed) : 0;
  }
  void NoteValueSalt(PoolOffset extent, uint64_t salt) {
    value_salts_[IndexOf(extent)].store(salt, std::memory_order_relaxed);
  }

  // Adds a reference on extents that a tree or a log names, while a database is being opened.
  // Corruption if the pool has no such extents.
  Status MarkUsed(PoolOffset extent, uint32_t count = 1);

  // After HoldReleases(true), extents that lose their last reference are not allocated again until
  // HoldReleases(false), because the manifest on the medium may still name them.
  // HoldReleases(false) frees them as Forget does.
  void HoldReleases(bool hold);

  // used_bytes: bytes in extents that are in use (or held back). free_bytes: bytes that are free in
  // the current slabs.
  uint64_t used_bytes() const;
  uint64_t free_bytes() const;
  // Returns the bytes that all extents can hold together when the pool has grown to its ceiling.
  uint64_t capacity_bytes() const;
  // Returns used_bytes() / capacity_bytes(): 0 to 1.
  double use() const;
  // Returns the bytes of the longest free run in the current slabs.
  uint64_t largest_free_run() const;
  // Returns the number of references on the extent; 0 if it is free or not an extent.
  uint32_t references(PoolOffset extent) const;

  // Prepares memory for Reserve in one small step: touches one fresh extent, or grows the pool.
  // Returns false if enough is ready (32 MiB or bytes_until_next, the bytes that writers may take
  // before the next call, but no more than an eighth of the capacity), or if nothing more can be
  // prepared. For a background thread.
  bool PrefaultStep(uint64_t bytes_until_next = 0);

 private:
  // One bit per extent.
  using Bits = std::vector<uint64_t>;

  static constexpr size_t kNone = ~size_t{0};

  size_t IndexOf(PoolOffset extent) const { return static_cast<size_t>(extent / extent_size_); }
  // Adds the extents of slabs that the pool has gained since the last call as free extents.
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

  Mutex growth_mutex_;  // only one thread grows the pool; taken before mutex_
  mutable Mutex mutex_;
  std::vector<uint32_t> references_ GUARDED_BY(mutex_);
  Bits free_ GUARDED_BY(mutex_);
  Bits warm_ GUARDED_BY(mutex_);  // written since the pool was opened, or prefaulted
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
