#include "pmem/media/pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include "pmem/media/heap_footers.h"
#include "pmem/media/lost_root.h"
#include "pmem/media/page_touch.h"
#include "pmem/media/pool_checks.h"
#include "pmem/media/pool_files.h"
#include "pmem/media/pool_header.h"
#include "pmem/media/pool_heap.h"
#include "pmem/media/salvage_mapping.h"
#include "util/posix_io.h"
#include "util/round.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr uint64_t kRootAlignment = 64;
// Leaves room to align the root wherever the root object begins.
constexpr size_t kRootObjectBytes = PoolRoot::kBytes + kRootAlignment;

// A directory pool begins with this size, and grows by no less.
constexpr uint64_t kStartBytes = 64 << 20;
// A pool grows by a share of its size, at most by a share of its ceiling, so that a growth does not
// take long and the slab table is large enough.
constexpr uint64_t kGrowthShare = 8;
constexpr uint64_t kGrowthShareOfCeiling = PoolRoot::kSlabsMax / 2;
constexpr uint64_t kScarceSlabs = PoolRoot::kSlabsMax / 4;
// Less free space than this is not made a slab.
constexpr uint64_t kSlabBytesMin = 1 << 20;

// Returns the address space of a directory pool that may grow to the ceiling.
uint64_t ReservedFor(uint64_t ceiling) {
  return RoundUp(ceiling, PoolHeap::kPartBytes);
}

std::string Megabytes(uint64_t bytes) {
  return NumberToString(bytes >> 20) + " MiB";
}

// Keeps a forked child from keeping the mapping, and with it libpmemobj's lock.
Status KeepFromChildren(char* base, uint64_t bytes) {
  if (madvise(base, bytes, MADV_DONTFORK) != 0) return PosixError("madvise of the pool", errno);
  return Status::OK();
}

}  // namespace

Pool::Pool(const PoolFiles& files, uint64_t ceiling)
    : path_(files.path()), kind_(files.kind()), ceiling_(ceiling) {}

Pool::~Pool() = default;

// Creation.

Status Pool::Create(const PoolOptions& options, const Slice& owner, const PoolId& id,
                    std::unique_ptr<Pool>* pool) {
  PoolFiles files(options.path, options.kind);
  if (files.kind() == PoolKind::kDirectory && !files.NamesSet()) {
    files = PoolFiles(DirectoryPoolPath(options.path, owner.ToString(), id), PoolKind::kDirectory);
  }
  if (owner.size() > PoolRoot::kOwnerBytesMax) {
    return Status::InvalidArgument("the path of the database is too long for a pool", owner);
  }
  if (options.extent_size != 0 && !IsExtentSize(options.extent_size)) {
    return Status::InvalidArgument("pool " + files.path(),
                                   "extents are a power of two of bytes, 64 KiB to 4 MiB");
  }
  const bool existed = files.Exist();
  if (existed && files.kind() == PoolKind::kDirectory) {
    return Status::InvalidArgument("pool " + files.path(), "exists already");
  }
  DeviceInfo device;
  uint64_t bytes = 0;
  uint64_t bytes_before = 0;
  PoolMedium medium;
  Status s = CheckDevice(options, files, &device, &medium);
  if (s.ok()) s = files.Measure(options.size, &bytes);
  if (s.ok() && existed) s = CheckNoBadBlocks(files);
  if (s.ok() && existed) s = files.Bytes(&bytes_before);
  if (!s.ok()) return s;

  s = Make(options, files, owner, id, bytes, pool);
  // Returns the error of the creation, not one of the cleanup.
  if (!s.ok()) static_cast<void>(existed ? files.Reset(bytes_before) : files.Remove());
  return s;
}

Status Pool::Make(const PoolOptions& options, const PoolFiles& files, const Slice& owner,
                  const PoolId& id, uint64_t bytes, std::unique_ptr<Pool>* pool) {
  Status s;
  const bool is_directory = files.kind() == PoolKind::kDirectory;
  const bool is_new_file = !is_directory && !files.Exist();
  uint64_t length = 0;
  std::unique_ptr<Descriptor> parts;
  if (is_directory) {
    s = files.MakePartsDirectory();
    if (s.ok()) s = files.WriteSet(ReservedFor(bytes), &parts);
  } else if (!is_new_file) {
    s = files.Bytes(&length);
    if (s.ok() && length == 0) s = files.Allocate(bytes);
  }
  if (!s.ok()) return s;
  std::unique_ptr<PoolHeap> heap;
  s = PoolHeap::Create(files.path(), is_new_file ? bytes : 0, &heap);
  PoolOffset root_object = kNoPoolOffset;
  uint64_t pool_number = 0;
  if (s.ok()) s = heap->Root(kRootObjectBytes, &root_object, &pool_number);
  if (!s.ok()) return s;

  PoolIdentity identity;
  identity.id = id;
  identity.owner = owner.ToString();
  identity.extent_size = options.extent_size != 0 ? options.extent_size : ChooseExtentSize(bytes);
  identity.here = RoundUp(root_object, kRootAlignment);
  std::unique_ptr<Pool> fresh(new Pool(files, bytes));
  fresh->parts_ = std::move(parts);
  s = fresh->Attach(options, std::move(heap), identity);
  if (s.ok()) s = fresh->root_->Format(bytes);
  if (s.ok()) s = fresh->Start(options.prefault);
  if (s.ok()) s = fresh->ReadState();
  if (!s.ok()) return s;
  fresh->LogDevice();
  *pool = std::move(fresh);
  return s;
}

// Opening.

Status Pool::Open(const PoolOptions& options, const PoolId* expected, std::unique_ptr<Pool>* pool) {
  const PoolFiles files(options.path, options.kind);
  std::unique_ptr<Pool> fresh(new Pool(files, 0));
  PoolIdentity identity;
  std::string root_bytes;
  uint64_t bytes;
  Status s = CheckPoolExists(files);
  // The device is checked before anything is written.
  if (s.ok()) s = CheckDevice(options, files, &fresh->device_, &fresh->medium_);
  if (s.ok()) s = FindBadRanges(files, &fresh->bad_ranges_);
  if (s.ok() && Overlaps(fresh->bad_ranges_, 0, PoolFront::MetadataEnd())) {
    s = BadMetadata(files.path());
  }
  if (s.ok()) s = CheckFiles(files, expected, &identity, &root_bytes);
  if (s.ok()) s = files.FillHoles();
  if (s.ok()) s = files.Bytes(&bytes);
  if (!s.ok()) return s;
  const PoolRoot root(root_bytes.data(), identity, files.path(), nullptr);
  s = root.ReadCeiling(&fresh->ceiling_);
  if (s.ok()) s = CheckBadRanges(root, fresh->bad_ranges_, bytes, files.path());
  std::unique_ptr<RawFile> first;
  if (s.ok()) s = files.FirstFile(&first);
  if (s.ok()) s = PoolHeader(first.get()).TurnOffRefusals();
  if (!s.ok()) return s;

  if (files.kind() == PoolKind::kDirectory) {
    fresh->ceiling_ = std::max(options.size != 0 ? options.size : fresh->ceiling_, bytes);
    s = files.WriteSet(ReservedFor(fresh->ceiling_), &fresh->parts_);
  } else {
    fresh->ceiling_ = bytes;
  }
  std::unique_ptr<PoolHeap> heap;
  if (s.ok()) s = PoolHeap::Open(files.path(), &heap);
  if (s.ok()) s = fresh->Attach(options, std::move(heap), identity);
  if (s.ok()) s = fresh->AdoptSlabs();
  if (s.ok()) s = fresh->ReadState();
  if (s.ok()) s = fresh->NoteCeiling();
  if (!s.ok()) return s;
  fresh->LogDevice();
  *pool = std::move(fresh);
  return s;
}

Status Pool::Attach(const PoolOptions& options, std::unique_ptr<PoolHeap> heap,
                    const PoolIdentity& identity) {
  heap_ = std::move(heap);
  base_ = heap_->base();
  PoolFiles files(path_, kind_);
  uint64_t bytes;
  Status s = CheckDevice(options, files, &device_, &medium_);
  if (s.ok()) s = files.Bytes(&bytes);
  if (!s.ok()) return s;
  reserved_bytes_ = kind_ == PoolKind::kDirectory ? ReservedFor(ceiling_) : bytes;

  PersistTarget target;
  target.path = path_;
  target.base = base_;
  target.reserved_bytes = reserved_bytes_;
  target.medium = medium_;
  persist_ = options.persist_factory ? options.persist_factory(target) : NewPersist(target);

  s = AdoptRoot(options, identity, bytes);
  if (s.ok()) RestoreFooters(base_, bytes);
  return s.ok() ? KeepFromChildren(base_, reserved_bytes_) : s;
}

// Takes over the root of a pool that is mapped.
Status Pool::AdoptRoot(const PoolOptions& options, const PoolIdentity& identity, uint64_t bytes) {
  info_log_ = options.info_log;
  slab_map_ = std::make_unique<SlabMap>(reserved_bytes_, identity.extent_size);
  if (identity.here + PoolRoot::kBytes > bytes) {
    return Status::Corruption("the root of pool " + path_ + " is beyond its end");
  }
  if (options.guard_faults) guard_ = std::make_unique<FaultGuard>(base_, reserved_bytes_);
  root_ = std::make_unique<PoolRoot>(base_ + identity.here, identity, path_, persist_.get());
  return Status::OK();
}

Status Pool::OpenForSalvage(const PoolOptions& options, const PoolId* expected,
                            std::unique_ptr<Pool>* pool) {
  const PoolFiles files(options.path, options.kind);
  std::unique_ptr<Pool> fresh(new Pool(files, 0));
  Status s = CheckPoolExists(files);
  if (s.ok()) s = files.CheckFree(&fresh->salvage_lock_);
  // If bad pages cannot be listed, they are found by touching them.
  if (s.ok() && !FindBadRanges(files, &fresh->bad_ranges_).ok()) fresh->bad_ranges_.clear();
  if (s.ok()) s = SalvageMapping::Map(files, fresh->bad_ranges_, &fresh->salvage_);
  if (!s.ok()) return s;
  fresh->base_ = fresh->salvage_->base();
  fresh->reserved_bytes_ = fresh->ceiling_ = fresh->salvage_->bytes();
  PoolOptions guarded = options;
  guarded.guard_faults = true;
  PoolIdentity identity;
  std::string root_bytes;
  {
    const FaultGuard guard(fresh->base_, fresh->reserved_bytes_);
    PoolFront front(fresh->base_, fresh->reserved_bytes_);
    s = front.FindRoot(files.path(), &identity, &root_bytes);
    if (s.IsCorruption() && expected != nullptr &&
        RebuildIdentity(fresh->base_, fresh->reserved_bytes_, *expected, &identity)) {
      Log(options.info_log, "pool %s: %s; its extents are searched for", files.path().c_str(),
          s.ToString().c_str());
      s = Status::OK();
    }
  }
  if (s.ok()) s = CheckIdentity(files.path(), identity, expected);
  if (s.ok()) s = DescribeDeviceOf(files, &fresh->device_);
  if (!s.ok()) return s;
  fresh->medium_ = MediumOf(files, fresh->device_, options.assume_pmem);
  s = fresh->AdoptRoot(guarded, identity, fresh->reserved_bytes_);
  std::vector<PoolRoot::SlabEntry> slabs;
  if (!s.ok()) return s;
  // Unless every entry in the list of slabs is proven, anything may be an extent.
  const bool is_proven =
      fresh->root_->ReadSlabs(&slabs).ok() && !slabs.empty() &&
      std::all_of(slabs.begin(), slabs.end(), [](const auto& slab) { return slab.sealed; });
  if (!is_proven) slabs = {{0, PoolFront::MetadataEnd(), UINT64_MAX, true}};
  for (const PoolRoot::SlabEntry& slab : slabs) {
    if (slab.begin >= fresh->reserved_bytes_) continue;
    const uint64_t length = std::min(slab.length, fresh->reserved_bytes_ - slab.begin);
    fresh->slab_map_->Add({slab.begin, slab.begin + length});
  }
  *pool = std::move(fresh);
  return s;
}

Status Pool::ReadState() {
  uint64_t epoch;
  uint64_t clean_epoch;
  Status s = root_->ReadEpoch(&epoch);
  if (s.ok()) s = root_->ReadCleanEpoch(&clean_epoch);
  if (!s.ok()) return s;
  epoch_.store(epoch, std::memory_order_release);
  was_clean_ = epoch == clean_epoch;
  return s;
}

Status Pool::NoteCeiling() {
  uint64_t noted;
  Status s = root_->ReadCeiling(&noted);
  if (s.ok() && noted != root_->AsNoted(ceiling_)) s = root_->SetCeiling(ceiling_);
  return s;
}

void Pool::LogDevice() const {
  Log(info_log_, "pool %s: %s; %s (%s); %s of at most %s, extents of %llu KiB", path_.c_str(),
      device_.Text().c_str(), medium_.Text().c_str(), persist_->Name().c_str(),
      Megabytes(size()).c_str(), Megabytes(ceiling_).c_str(),
      static_cast<unsigned long long>(extent_size() >> 10));
  LogBadRanges(path_, bad_ranges_, {0, UINT64_MAX}, info_log_);
}

Status Pool::RaiseEpoch() {
  Status s = root_->SetEpoch(epoch() + 1);
  if (s.ok()) epoch_.fetch_add(1, std::memory_order_acq_rel);
  return s;
}

Status Pool::MarkClean() {
  const Status s = persist_->Sync();
  return s.ok() ? root_->SetCleanEpoch(epoch()) : s;
}

// A pool that is in use never has epoch 0.
Status Pool::MarkInUse() {
  return root_->SetCleanEpoch(0);
}

Status Pool::LostPage() const {
  const uint64_t pool_offset = guard_->lost_address() - reinterpret_cast<uintptr_t>(base_);
  if (!loss_is_logged_.exchange(true)) {
    Log(info_log_, "pool %s: the page at %llu cannot be read any more", path_.c_str(),
        static_cast<unsigned long long>(pool_offset));
  }
  return Status::Corruption(
      "persistent memory pool " + path() + " has lost a page, at " + NumberToString(pool_offset),
      "close the database and run `bushstore repair` on it, which saves everything else");
}

// Slabs.

// Adopts the slabs that the root names. libpmemobj must agree about each of them.
Status Pool::AdoptSlabs() {
  MutexLock lock(&growth_mutex_);
  PoolOffset root_object = kNoPoolOffset;
  uint64_t pool_number = 0;
  uint64_t bytes = 0;
  std::vector<PoolRoot::SlabEntry> entries;
  Status s = heap_->Root(kRootObjectBytes, &root_object, &pool_number);
  if (s.ok()) s = PoolFiles(path_, kind_).Bytes(&bytes);
  uint64_t noted;
  if (s.ok()) s = root_->ReadSlabs(&entries);
  if (s.ok()) s = root_->ReadBytes(&noted);
  if (!s.ok()) return s;
  // The length is noted only when there are slabs.
  if (entries.empty() && noted > 0) {
    return Status::Corruption("the root of pool " + path_ + " has lost its slabs");
  }
  if (RoundUp(root_object, kRootAlignment) != root_->identity().here) {
    return Status::Corruption("pool " + path_ + " has another root than libpmemobj says");
  }
  for (size_t i = 0; i < entries.size(); i++) {
    const PoolRoot::SlabEntry& slab = entries[i];
    bool agree = slab.pool_number == pool_number && slab.length <= bytes &&
                 slab.begin <= bytes - slab.length;
    // An entry without a seal was interrupted right after its allocation: libpmemobj knows whether
    // it exists.
    if (agree && !slab.sealed) {
      agree = heap_->ObjectBytes(slab.begin) == slab.length;
      if (agree) s = root_->SealSlab(i);
    }
    if (s.ok() && !agree) {
      s = Status::Corruption("pool " + path_ + " and libpmemobj do not agree about slab " +
                             NumberToString(i));
    }
    if (!s.ok()) return s;
    slab_map_->Add(Slab{slab.begin, slab.begin + slab.length}, bad_ranges_);
  }
  // A growth that was interrupted may have left space that is not in a slab yet.
  s = TakeSlabs();
  if (s.ok()) s = NoteBytes();
  return s;
}

Status Pool::TakeSlabs() {
  // The file system may have given bad blocks to a new part.
  std::vector<ByteRange> bad_ranges;
  const Status found = FindBadRanges(PoolFiles(path_, kind_), &bad_ranges);
  if (!found.ok()) return found;
  while (true) {
    const size_t index = slabs().size();
    if (index == PoolRoot::kSlabsMax) return Status::OK();
    const uint64_t length = heap_->LargestObject(reserved_bytes_);
    if (length < std::max(kSlabBytesMin, 2 * extent_size())) return Status::OK();
    Status s = root_->PrepareSlab(index, length);
    if (s.ok()) s = heap_->Allocate(root_->SlabObject(index), length);
    std::vector<PoolRoot::SlabEntry> entries;
    if (s.ok()) s = root_->SealSlab(index);
    if (s.ok()) s = root_->ReadSlabs(&entries);
    if (!s.ok()) return s;
    const Slab slab{entries[index].begin, entries[index].begin + length};
    LogBadRanges(path_, bad_ranges, {slab.begin, slab.end}, info_log_);
    slab_map_->Add(slab, bad_ranges);
  }
}

Status Pool::Start(bool prefault) {
  MutexLock lock(&growth_mutex_);
  Status s;
  if (kind_ == PoolKind::kDirectory) {
    const uint64_t wanted = prefault ? ceiling_ : std::min(ceiling_, kStartBytes);
    s = Extend(RoundDown(wanted - kBytesMin, PoolHeap::kPartBytes));
  }
  if (s.ok()) s = TakeSlabs();
  if (s.ok()) s = NoteBytes();
  if (s.ok() && size() == 0) s = Status::IOError("pool " + path_, "has no room for a slab");
  if (s.ok() && prefault) {
    for (const Slab& slab : slabs()) Touch(slab.begin, slab.end - slab.begin);
  }
  return s;
}

Status Pool::Extend(uint64_t bytes) {
  if (bytes == 0) return Status::OK();
  const PoolFiles files(path_, kind_);
  Status s = CheckGrowth(files, medium_, bytes);
  if (!s.ok()) return s;
  s = heap_->Extend(bytes);
  if (s.ok()) {
    s = KeepFromChildren(base_, reserved_bytes_);
    return s.ok() ? files.NumberParts() : s;
  }
  std::unique_ptr<PoolFront> front;
  uint64_t noted;
  if (root_->ReadBytes(&noted).ok() && files.Front(&front).ok()) {
    static_cast<void>(TidyParts(files, *front, noted));
  }
  return s;
}

// Notes the length of the files. Called after they have grown, so that the noted length never
// exceeds the real one.
Status Pool::NoteBytes() {
  uint64_t bytes;
  uint64_t noted;
  Status s = PoolFiles(path_, kind_).Bytes(&bytes);
  if (s.ok()) s = root_->ReadBytes(&noted);
  if (s.ok() && noted != root_->AsNoted(bytes)) s = root_->SetBytes(bytes);
  if (s.ok()) file_bytes_.store(bytes, std::memory_order_release);
  return s;
}

Status Pool::Grow(uint64_t at_least_bytes) {
  MutexLock lock(&growth_mutex_);
  if (is_removed_) return Status::IOError("it has been removed");
  const uint64_t room = growth_room();
  if (kind_ != PoolKind::kDirectory) return Status::IOError("its size is fixed");
  if (room == 0) return Status::IOError("it has grown to its ceiling");
  if (slabs().size() == PoolRoot::kSlabsMax) return Status::IOError("its table of slabs is full");

  // Extents begin at multiples of their size, but slabs do not.
  const uint64_t least = std::min(
      RoundUp(at_least_bytes + extent_size() + PoolHeap::kChunkBytes, PoolHeap::kPartBytes), room);
  uint64_t wanted = std::min(std::max(least, growth_step()), room);
  Status s = Extend(wanted);
  while (!s.ok() && wanted > least) {
    wanted = std::max(RoundDown(wanted / 2, PoolHeap::kPartBytes), least);
    s = Extend(wanted);
  }
  const uint64_t size_before = size();
  if (s.ok()) s = NoteBytes();
  if (s.ok()) s = TakeSlabs();
  if (s.ok() && size() == size_before) s = Status::IOError("it has grown to its ceiling");
  if (s.ok()) {
    Log(info_log_, "pool %s: grew to %s of at most %s", path_.c_str(), Megabytes(size()).c_str(),
        Megabytes(ceiling_).c_str());
  }
  return s;
}

uint64_t Pool::growth_step() const {
  const uint64_t slabs_left = PoolRoot::kSlabsMax - std::min(slabs().size(), PoolRoot::kSlabsMax);
  uint64_t step = std::min(size() / kGrowthShare, ceiling_ / kGrowthShareOfCeiling);
  // If the ceiling was raised many times, more slabs are used up than this step allows for.
  if (slabs_left > 0 && slabs_left < kScarceSlabs)
    step = std::max(step, growth_room() / slabs_left);
  return RoundUp(std::max(kGrowthBytesMin, step), PoolHeap::kPartBytes);
}

uint64_t Pool::growth_room() const {
  const uint64_t bytes = file_bytes_.load(std::memory_order_acquire);
  if (kind_ != PoolKind::kDirectory || bytes >= ceiling_) return 0;
  return RoundDown(ceiling_ - bytes, PoolHeap::kPartBytes);
}

Status Pool::RemoveFiles() {
  MutexLock lock(&growth_mutex_);
  if (kind_ == PoolKind::kDevice) return Status::OK();
  is_removed_ = true;
  return PoolFiles(path_, kind_).Remove();
}

void Pool::Touch(PoolOffset pool_offset, size_t n) {
  TouchPages(At(pool_offset), n);
}

// Without opening.

Status Pool::Remove(const std::string& path) {
  const PoolFiles files(path, PoolKind::kDetect);
  if (!files.Exist()) return Status::OK();
  Status s = files.CheckFree();
  return s.ok() || s.IsNotFound() ? files.Remove() : s;
}

Status Pool::ListPools(const std::string& directory, std::vector<std::string>* paths) {
  return PoolFiles::ListDirectory(directory, paths);
}

}  // namespace leveldb
