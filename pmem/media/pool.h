// Pool: a stretch of persistent memory under one mapping, the only user of libpmemobj.
//
// Three kinds of place can hold one:
//   directory  a poolset: the text file NAME.set and the directory NAME.pool of its parts. Begins
//              small and grows, part by part, up to its ceiling. Address space for the ceiling is
//              reserved at once, so nothing ever moves.
//   file       one file, of fixed size.
//   device     one /dev/dax device, all of it.
//
// libpmemobj keeps the pool's header, guards it against two users at a time, and gives us large
// objects, the slabs. Everything else is placed inside the slabs by us (extents.h). Our own few
// words are in its root object (pool_root.h). libpmemobj.so.1 is loaded when the first pool is
// made or opened; a build or a machine without it answers NotSupported.
//
// Any number of pools may be open in a process. A forked child does not see the mapping: it must
// not touch a pool of its parent.
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
  kDetect,     // by what is at the path
  kDirectory,  // a poolset in a directory
  kFile,
  kDevice,
};

struct PoolOptions {
  // To create: the directory to make the pool in (its name follows from owner and id, see
  // DirectoryPoolPath), the file, or the device. To open: what Pool::path() said, NAME.set for a
  // directory pool.
  std::string path;
  PoolKind kind = PoolKind::kDetect;

  // Bytes: the ceiling of a directory pool, the size of a new file (0: the size it has, or 1 GiB).
  // At opening, a larger number raises the ceiling of a directory pool, a smaller one lowers it as
  // far as the pool has not grown; 0 leaves it. The least is 8 MiB.
  uint64_t size = 0;

  // Treats memory that does not survive power loss as if it did: for tests and measurements on
  // tmpfs. Refused elsewhere than on tmpfs and DAX unless `assume_pmem_anywhere`.
  bool assume_pmem = false;
  bool assume_pmem_anywhere = false;

  // Grows to the ceiling and touches every page at creation.
  bool prefault = false;

  // Turns the loss of a page (SIGBUS) into the mark Lost(), see port/fault_guard.h.
  bool guard_faults = false;

  // Bytes of an extent: a power of two, 64 KiB to 4 MiB; 0: 1/4096 of the size, at most 1 MiB. For
  // creation only.
  uint64_t extent_size = 0;

  Logger* info_log = nullptr;      // not owned, must outlive the pool; may be null
  PersistFactory persist_factory;  // null: NewPersist
};

// The path that Create gives a pool of this owner and id in the directory: NAME.set, where NAME is
// the last part of the owner's path and the beginning of the id.
std::string DirectoryPoolPath(const std::string& directory, const std::string& owner,
                              const PoolId& id);

// Thread-safe. Destruction unmaps: no address may be in use by then.
class Pool {
 public:
  static constexpr uint64_t kBytesMin = 8ull << 20;
  static constexpr uint64_t kDefaultCeiling = 1ull << 30;
  static constexpr uint64_t kGrowthBytesMin = 64ull << 20;  // unless the ceiling is nearer
  static constexpr uint64_t kExtentBytesMin = 64ull << 10;
  static constexpr uint64_t kExtentBytesMax = 4ull << 20;

  // Makes an empty pool of the given id that belongs to `owner`, the path of a database, at epoch
  // 0. Fails if there is something at the place already; leaves nothing behind if it fails.
  static Status Create(const PoolOptions& options, const Slice& owner, const PoolId& id,
                       std::unique_ptr<Pool>* pool);

  // Opens the pool, if it has the expected id (null: whichever it has). NotFound if there is none;
  // InvalidArgument if it is another; IOError if it is busy, Corruption if it is shorter than it
  // should be or damaged. Every message names the pool.
  static Status Open(const PoolOptions& options, const PoolId* expected,
                     std::unique_ptr<Pool>* pool);

  // Maps the pool for reading what is left of it, if it has the expected id (null: whichever it
  // has). libpmemobj is not
  // asked, nothing is changed, and pages that are lost read as zeros, so that only sums tell what
  // is whole. NotFound if there is none; InvalidArgument if it is another; IOError if it is busy;
  // Corruption if nothing says where its slabs are. No other calls than those that read may be made
  // on the pool.
  static Status OpenForSalvage(const PoolOptions& options, const PoolId* expected,
                               std::unique_ptr<Pool>* pool);

  // Removes the pool at a path that Open would take; OK if there is none. Refuses a pool that is
  // in use. A device keeps its bytes but is no pool any more.
  static Status Remove(const std::string& path);

  // The paths of all directory pools in a directory, sorted.
  static Status ListPools(const std::string& directory, std::vector<std::string>* paths);

  ~Pool();

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // For Open, and for the PMEM file of the database.
  const std::string& path() const { return path_; }
  PoolKind kind() const { return kind_; }
  const PoolId& id() const { return root_->identity().id; }
  const std::string& owner() const { return root_->identity().owner; }
  const DeviceInfo& device() const { return device_; }
  MediumKind medium() const { return medium_.kind; }
  const PoolMedium& medium_description() const { return medium_; }

  // Where the pool's bad blocks are, as whole pages. Of the extents that have one, none is in the
  // pool's reach: Contains says no. In OpenForSalvage they read as zeros instead.
  const std::vector<ByteRange>& bad_ranges() const { return bad_ranges_; }

  // The start of the mapping, the same as long as the pool is open.
  char* base() const { return base_; }
  // REQUIRES: the place is the pool's own.
  char* At(PoolOffset pool_offset) const {
    assert(pool_offset < reserved_bytes_);
    return base_ + pool_offset;
  }
  PoolOffset OffsetOf(const void* address) const {
    return static_cast<PoolOffset>(static_cast<const char*>(address) - base_);
  }

  // Whether [place, place + n) lies in extents of the pool, so that reading there is safe. For
  // places that were read from the medium. Takes no lock.
  bool Contains(PoolOffset pool_offset, size_t n) const {
    return slab_map_->Contains(pool_offset, n);
  }

  uint64_t extent_size() const { return root_->identity().extent_size; }
  // Bytes in slabs now; bytes up to which the pool can grow, overhead included.
  uint64_t size() const { return slab_map_->bytes(); }
  uint64_t ceiling() const { return ceiling_; }
  // Bytes of address space: no place is beyond.
  uint64_t reserved_bytes() const { return reserved_bytes_; }
  // Bytes that the pool can still grow by, as far as its ceiling goes; 0 for fixed sizes.
  uint64_t growth_room() const;
  // Bytes that Grow(0) would add if there is room.
  uint64_t growth_step() const;
  // In order of growth. Only whole extents inside a slab are usable.
  std::vector<Slab> slabs() const { return slab_map_->slabs(); }

  // Adds a slab of at_least_bytes or more (0: a good step) if the ceiling allows; less if the
  // ceiling is nearer. IOError that says why if nothing could be added: the ceiling is reached, the
  // file system is full. One growth at a time; others wait.
  Status Grow(uint64_t at_least_bytes);

  // Removes the files of a pool that stays mapped; it does not grow any more. Nothing is done to a
  // device, which can be given up only when it is closed (Remove).
  Status RemoveFiles();

  // Makes the kernel provide the memory of [place, place + n), without changing a byte: also while
  // somebody else writes there.
  void Touch(PoolOffset pool_offset, size_t n);

  Persist* persist() const { return persist_.get(); }
  PoolRoot* root() const { return root_.get(); }

  // How often the pool has been opened by a database.
  uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  // Makes the epoch one more, synced on return.
  Status RaiseEpoch();

  // Whether the last user called MarkClean, and it has not been undone since: all logs that the
  // root names were sealed then.
  bool was_clean() const { return was_clean_; }
  // Notes an orderly end. Everything is synced before the mark, and the mark on return. RaiseEpoch
  // and MarkInUse undo it.
  Status MarkClean();
  Status MarkInUse();

  // Whether a page of the pool has been lost: what is read may be zeros instead of data. Stays
  // true. Only with guard_faults.
  bool Lost() const { return guard_ != nullptr && guard_->lost()->load(std::memory_order_acquire); }
  // Corruption if Lost(). To be asked when all has been read, and before anything follows from it.
  // Always OK after OpenForSalvage.
  Status CheckWhole() const { return Lost() && !salvage_ ? LostPage() : Status::OK(); }
  // What the outcome of a job in the pool comes from: the loss of a page, if there was one, since
  // anything may follow from it, and `status` otherwise. Likewise.
  Status CauseOf(const Status& status) const {
    Status whole = CheckWhole();
    return whole.ok() ? status : whole;
  }

 private:
  Pool(const PoolFiles& files, uint64_t ceiling);

  Status LostPage() const;

  // Create, after the checks. May leave files behind if it fails.
  static Status Make(const PoolOptions& options, const PoolFiles& files, const Slice& owner,
                     const PoolId& id, uint64_t bytes, std::unique_ptr<Pool>* pool);

  // Takes over a pool that is mapped: finds out about the medium, makes the persist backend.
  Status Attach(const PoolOptions& options, std::unique_ptr<PoolHeap> heap,
                const PoolIdentity& identity);
  Status AdoptRoot(const PoolOptions& options, const PoolIdentity& identity, uint64_t bytes);
  Status AdoptSlabs();
  Status ReadState();
  Status NoteCeiling();
  void LogDevice() const;

  // Gives a fresh pool its first slabs.
  Status Start(bool prefault);
  // Turns what is free in libpmemobj's heap into slabs, without the extents that have bad blocks.
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
  std::unique_ptr<Descriptor> salvage_lock_;  // likewise, and of libpmemobj's lock
  std::unique_ptr<FaultGuard> guard_;         // null without guard_faults
  mutable std::atomic<bool> loss_is_logged_{false};
  std::unique_ptr<Descriptor> parts_;  // how heap_ finds the parts, see PoolFiles::WriteSet
  std::unique_ptr<PoolHeap> heap_;     // unmaps when it goes: after all that uses the mapping
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
