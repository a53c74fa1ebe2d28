// Pool: persistent memory under one contiguous mapping. It is the only user of libpmemobj.
//
// Three kinds of storage can hold a pool:
//   directory  a poolset: the text file NAME.set and the directory NAME.pool of its parts. Begins
//              small and grows, part by part, up to its ceiling. Address space for the ceiling is
//              reserved at once, so addresses never change.
//   file       one file, of fixed size.
//   device     one /dev/dax device, all of it.
//
// libpmemobj keeps the pool's header, prevents two users at a time, and allocates large objects,
// the slabs. BushStore places everything else inside the slabs (extents.h) and keeps a few words of
// its own in libpmemobj's root object (pool_root.h). libpmemobj.so.1 is loaded when the first pool
// is created or opened; a build or a machine without it returns NotSupported.
//
// Any number of pools may be open in a process. A forked child does not have the mapping: it must
// not access a pool of its parent.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_H_

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/media/bad_blocks.h"
#include "pmem/media/device_info.h"
#include "pmem/media/persist.h"
#include "pmem/media/pool_medium.h"
#include "pmem/media/pool_offset.h"
#include "pmem/media/pool_root.h"
#include "pmem/media/slab_map.h"
#include "port/fault_guard.h"

namespace leveldb {

class Descriptor;
class PoolFiles;
class PoolHeap;
class SalvageMapping;

enum class PoolKind {
  kDetect,     // determined by what is at the path
  kDirectory,  // a poolset in a directory
  kFile,
  kDevice,
};

struct PoolOptions {
  // For Create: the directory to create the pool in (its name follows from owner and id, see
  // DirectoryPoolPath), the file, or the device. For Open: the value of Pool::path(), which is
  // NAME.set for a directory pool.
  std::string path;
  PoolKind kind = PoolKind::kDetect;

  // Bytes: the ceiling of a directory pool, or the size of a new file (0: the size it has, or 1
  // GiB). At opening, a larger number raises the ceiling of a directory pool, a smaller one lowers
  // it, but not below the present size of the pool; 0 keeps it. The minimum is 8 MiB.
  uint64_t size = 0;

  // Treats memory that does not survive power loss as if it did, for tests and measurements on
  // tmpfs. Refused on other file systems than tmpfs and DAX unless `assume_pmem_anywhere`.
  bool assume_pmem = false;
  bool assume_pmem_anywhere = false;

  // Grows to the ceiling and touches every page at creation.
  bool prefault = false;

  // Reports the loss of a page (SIGBUS) by Lost(); see port/fault_guard.h.
  bool guard_faults = false;

  // Bytes of an extent: a power of two, 64 KiB to 4 MiB; 0: 1/4096 of the size, at most 1 MiB. For
  // creation only.
  uint64_t extent_size = 0;

  Logger* info_log = nullptr;      // not owned, must outlive the pool; may be null
  PersistFactory persist_factory;  // null: NewPersist
};

// Returns the path that Create gives a pool of this owner and id in the directory: NAME.set, where
// NAME is the last part of the owner's path and the beginning of the id.
std::string DirectoryPoolPath(const std::string& directory, const std::string& owner,
                              const PoolId& id);

// Thread-safe. The destructor unmaps the pool: no address in it may be in use by then.
class Pool {
 public:
  static constexpr uint64_t kBytesMin = 8ull << 20;
  static constexpr uint64_t kDefaultCeiling = 1ull << 30;
  static constexpr uint64_t kGrowthBytesMin = 64ull << 20;  // unless the ceiling is nearer
  static constexpr uint64_t kExtentBytesMin = 64ull << 10;
  static constexpr uint64_t kExtentBytesMax = 4ull << 20;

  // Creates an empty pool of the given id at epoch 0 that belongs to `owner`, the path of a
  // database. Fails if the path is taken: an existing file or device must be blank. Leaves nothing
  // behind if it fails.
  static Status Create(const PoolOptions& options, const Slice& owner, const PoolId& id,
                       std::unique_ptr<Pool>* pool);

  // Opens the pool if its id is *expected (null: any id). NotFound if there is none;
  // InvalidArgument if it is another pool; IOError if it is in use; Corruption if it is shorter
  // than it should be or damaged. Every message names the pool.
  static Status Open(const PoolOptions& options, const PoolId* expected,
                     std::unique_ptr<Pool>* pool);

  // Maps the pool for reading what is left of it, if its id is *expected (null: any id). Does not
  // use libpmemobj and changes nothing. Pages that are lost read as zeros, so only checksums tell
  // what is intact. NotFound if there is none; InvalidArgument if it is another pool; IOError if it
  // is in use; Corruption if nothing says where its slabs are. Only calls that read may be made on
  // the pool.
  static Status OpenForSalvage(const PoolOptions& options, const PoolId* expected,
                               std::unique_ptr<Pool>* pool);

  // Removes the pool at `path` (as for Open); OK if there is none. Fails if the pool is in use. A
  // device is blanked at the front: it keeps its other bytes, but is no longer a pool.
  static Status Remove(const std::string& path);

  // Lists the paths of all directory pools in a directory, sorted.
  static Status ListPools(const std::string& directory, std::vector<std::string>* paths);

  ~Pool();

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The path to pass to Open; the PMEM file of the database stores it.
  const std::string& path() const { return path_; }
  PoolKind kind() const { return kind_; }
  const PoolId& id() const { return root_->identity().id; }
  const std::string& owner() const { return root_->identity().owner; }
  const DeviceInfo& device() const { return device_; }
  MediumKind medium() const { return medium_.kind; }
  const PoolMedium& medium_description() const { return medium_; }

  // The pool's bad blocks, as whole pages. No extent that has one can be used: Contains returns
  // false for it. After OpenForSalvage they read as zeros instead.
  const std::vector<ByteRange>& bad_ranges() const { return bad_ranges_; }

  // The start of the mapping, which does not change while the pool is open.
  char* base() const { return base_; }
  // REQUIRES: the offset is in the pool.
  char* At(PoolOffset pool_offset) const {
    assert(pool_offset < reserved_bytes_);
    return base_ + pool_offset;
  }
  PoolOffset OffsetOf(const void* address) const {
    return static_cast<PoolOffset>(static_cast<const char*>(address) - base_);
  }

  // Returns true if [pool_offset, pool_offset + n) lies in extents of the pool, so that it can be
  // read safely. For offsets that were read from the medium. Takes no lock.
  bool Contains(PoolOffset pool_offset, size_t n) const {
    return slab_map_->Contains(pool_offset, n);
  }

  uint64_t extent_size() const { return root_->identity().extent_size; }
  // size: bytes in slabs now. ceiling: bytes up to which the pool can grow, overhead included.
  uint64_t size() const { return slab_map_->bytes(); }
  uint64_t ceiling() const { return ceiling_; }
  // Bytes of address space: all pool offsets are below.
  uint64_t reserved_bytes() const { return reserved_bytes_; }
  // Returns the bytes by which the pool can still grow below its ceiling; 0 for pools of fixed
  // size.
  uint64_t growth_room() const;
  // Returns the bytes that Grow(0) adds if there is room.
  uint64_t growth_step() const;
  // Returns the slabs in order of growth. Only whole extents inside a slab are usable.
  std::vector<Slab> slabs() const { return slab_map_->slabs(); }

  // Adds a slab of at_least_bytes or more (0: a suitable step), or of less if the ceiling is
  // nearer. IOError with the reason if nothing could be added: the ceiling is reached, or the file
  // system is full. Only one thread grows the pool at a time; others wait.
  Status Grow(uint64_t at_least_bytes);

  // Removes the files of a pool that stays mapped; the pool can no longer grow. Does nothing to a
  // device, which can be removed only when it is closed (Remove).
  Status RemoveFiles();

  // Makes the kernel provide the memory of [pool_offset, pool_offset + n), without changing a byte.
  // Other threads may write there at the same time.
  void Touch(PoolOffset pool_offset, size_t n);

  Persist* persist() const { return persist_.get(); }
  PoolRoot* root() const { return root_.get(); }

  // The number of times that a database has opened the pool.
  uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  // Increments the epoch, synced on return.
  Status RaiseEpoch();

  // Returns true if the pool was marked clean when it was opened: its last user called MarkClean,
  // and nothing has undone the mark. All logs that the root named were sealed then.
  bool was_clean() const { return was_clean_; }
  // Marks an orderly close. Everything is synced before the mark, and the mark on return.
  // RaiseEpoch and MarkInUse undo it.
  Status MarkClean();
  Status MarkInUse();

  // Returns true if a page of the pool has been lost, so that reads may have returned zeros instead
  // of data. Stays true. Always false without guard_faults.
  bool Lost() const { return guard_ != nullptr && guard_->lost()->load(std::memory_order_acquire); }
  // Corruption if Lost(). To be called after all data have been read and before they are used.
  // Always OK after OpenForSalvage.
  Status CheckWhole() const { return Lost() && !salvage_ ? LostPage() : Status::OK(); }
  // Returns the outcome of a job in the pool: the loss of a page, if there was one, because it may
  // have caused any result, and `status` otherwise. Always `status` after OpenForSalvage.
  Status CauseOf(const Status& status) const {
    Status whole = CheckWhole();
    return whole.ok() ? status : whole;
  }

 private:
  Pool(const PoolFiles& files, uint64_t ceiling);

  Status LostPage() const;

  // The part of Create after the checks. May leave files behind if it fails.
  static Status Make(const PoolOptions& options, const PoolFiles& files, const Slice& owner,
                     const PoolId& id, uint64_t bytes, std::unique_ptr<Pool>* pool);

  // Takes over a pool that is mapped: determines the medium and creates the persist backend.
  Status Attach(const PoolOptions& options, std::unique_ptr<PoolHeap> heap,
                const PoolIdentity& identity);
  Status AdoptRoot(const PoolOptions& options, const PoolIdentity& identity, uint64_t bytes);
  Status AdoptSlabs();
  Status ReadState();
  Status NoteCeiling();
  void LogDevice() const;

  // Gives a new pool its first slabs.
  Status Start(bool prefault);
  // Turns the free space of libpmemobj's heap into slabs, without the extents that have bad blocks.
  Status TakeSlabs() EXCLUSIVE_LOCKS_REQUIRED(growth_mutex_);
  Status Extend(uint64_t bytes) EXCLUSIVE_LOCKS_REQUIRED(growth_mutex_);
  Status NoteBytes() EXCLUSIVE_LOCKS_REQUIRED(growth_mutex_);
  std::string path_;
  PoolKind kind_;
  DeviceInfo device_;
  PoolMedium medium_;
  std::vector<ByteRange> bad_ranges_;  // as they were when the pool was opened
  char* base_ = nullptr;
  uint64_t reserved_bytes_ = 0;
  uint64_t ceiling_;
  bool was_clean_ = false;
  Logger* info_log_ = nullptr;
  std::unique_ptr<SalvageMapping> salvage_;   // instead of heap_ after OpenForSalvage
  std::unique_ptr<Descriptor> salvage_lock_;  // likewise, instead of libpmemobj's lock
  std::unique_ptr<FaultGuard> guard_;         // null without guard_faults
  mutable std::atomic<bool> loss_is_logged_{false};
  std::unique_ptr<Descriptor> parts_;  // how heap_ finds the parts, see PoolFiles::WriteSet
  std::unique_ptr<PoolHeap> heap_;     // unmaps on destruction, after all users of the mapping
  std::unique_ptr<Persist> persist_;
  std::unique_ptr<PoolRoot> root_;
  std::atomic<uint64_t> epoch_{0};
  std::atomic<uint64_t> file_bytes_{0};
  std::unique_ptr<SlabMap> slab_map_;
  Mutex growth_mutex_;  // one growth, and one user of heap_, at a time
  bool is_removed_ GUARDED_BY(growth_mutex_) = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_H_
