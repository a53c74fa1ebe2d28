#include "db/open/pool_attach.h"

#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "db/open/pool_place.h"
#include "pmem/media/pool_checks.h"
#include "pmem/media/pool_description.h"
#include "pmem/media/pool_files.h"
#include "util/text.h"

namespace leveldb {

namespace {

// Returns an error of the same kind with `message`. An open must not return NotFound, which means
// that a key does not exist.
Status SameKind(const Status& status, const std::string& message) {
  if (status.IsCorruption()) return Status::Corruption(message);
  if (status.IsInvalidArgument()) return Status::InvalidArgument(message);
  if (status.IsNotSupportedError()) return Status::NotSupported(message);
  return Status::IOError(message);
}

// Returns the path at which to create a new pool, to repeat the creation of the one at `pool_path`.
std::string PlaceOfPool(const std::string& pool_path) {
  constexpr char kSuffix[] = ".set";
  constexpr size_t kSuffixSize = sizeof(kSuffix) - 1;
  const bool is_in_directory =
      pool_path.size() > kSuffixSize &&
      pool_path.compare(pool_path.size() - kSuffixSize, kSuffixSize, kSuffix) == 0;
  return is_in_directory ? pool_path.substr(0, pool_path.rfind('/')) : pool_path;
}

}  // namespace

Status PoolAttach::Attach(bool is_new, const std::optional<TierTag>& tag) {
  const Status status = ReadPmemFile(env(), dbname(), &file_);
  if (!status.ok() && !status.IsNotFound()) return status;
  has_file_ = status.ok();
  if (!tag.has_value()) return WithoutTag(is_new);
  if (has_file_) return OpenPool(*tag);
  return Status::Corruption(PmemFileName(dbname()) +
                            " is missing, which says where the pool with the newest data is (id " +
                            tag->pool.Text() +
                            "): put it back, or save what is in tables by `bushstore repair " +
                            "--without-pool " + dbname() + "`");
}

// ---- an existing pool --------------------------------------------------------------------------

Status PoolAttach::OpenPool(const TierTag& tag) {
  if (file_.id != tag.pool.Text()) {
    return Status::Corruption(PmemFileName(dbname()) + " names the pool " + file_.id +
                              ", the manifest of the same directory the pool " + tag.pool.Text() +
                              ": one of them is from another database, or another time");
  }
  if (!request_.problem.ok()) {
    Log(info_log(), "tier: left out: %s", request_.problem.ToString().c_str());
  }
  std::unique_ptr<Pool> pool;
  PoolOptions options = MakePoolOptions();
  options.path = file_.pool;
  options.size = request_.size != 0 ? request_.size : file_.size;
  Status status = Pool::Open(options, &tag.pool, &pool);
  const bool is_readable = status.ok();
  if (status.ok()) status = CheckOwner(*pool);
  if (status.ok()) status = CheckEpoch(tag, pool.get());
  if (!status.ok()) {
    return SameKind(status, dbname() + " has its newest data in the pool " + file_.pool +
                                ", which can't be used: " + status.ToString() +
                                WayOut(status, is_readable));
  }
  Adopt(std::move(pool));
  return status;
}

// Returns advice for an error. If the pool is in use, or on the wrong device, the error itself says
// what to do. A repair can read pools that cannot be opened.
std::string PoolAttach::WayOut(const Status& status, bool is_readable) const {
  if (status.IsNotFound()) {
    return "; bring it back, or correct " + PmemFileName(dbname()) +
           " if it was moved, or save what is in tables by `bushstore repair --without-pool " +
           dbname() + "`";
  }
  if (status.IsCorruption()) {
    return "; `bushstore repair " + dbname() + "` saves what can be read";
  }
  // If the modules do not keep data, the status says what to do, and remounting does not help.
  DeviceInfo device;
  const PoolFiles files(file_.pool, PoolKind::kDetect);
  if (DescribeDeviceOf(files, &device).ok() && device.region_is_read_only) return "";
  if (IsOnReadOnlyFileSystem(file_.pool)) {
    return "; mount the file system of the pool for writing";
  }
  PoolDescription found;
  const bool is_other =
      !is_readable && DescribePool(file_.pool, &found).ok() && found.id.Text() != file_.id;
  if (is_other) {
    return "; put the right pool back there, or save what is in tables by `bushstore repair "
           "--without-pool " +
           dbname() + "`";
  }
  return "";
}

// Returns an error if another directory uses the pool: two directories must never use one pool.
Status PoolAttach::CheckOwner(const Pool& pool) const {
  std::string other;
  if (PoolIsOfAnother(env(), dbname(), pool.path(), pool.id(), &other)) {
    return Status::InvalidArgument("it belongs to " + other + ", and " + dbname() +
                                   " is only a copy of that directory; `bushstore backup` makes "
                                   "copies that can be used");
  }
  const std::string owner = CurrentOwner(pool.path(), pool.owner());
  if (env() != Env::Default() || IsSameDirectory(owner, dbname())) return Status::OK();
  const Status noted = NoteOwner(pool.path(), CanonicalPath(dbname()));
  Log(info_log(), "tier: the database was moved here from %s: %s", owner.c_str(),
      noted.ToString().c_str());
  return Status::OK();
}

Status PoolAttach::CheckEpoch(const TierTag& tag, Pool* pool) {
  Status status;
  // The previous open had written its epoch to the manifest, but not to the pool.
  if (pool->epoch() + 1 == tag.epoch && tag.epoch % 2 == 0) status = pool->RaiseEpoch();
  if (!status.ok()) return status;
  const uint64_t epoch = pool->epoch();
  if (tag.epoch % 2 != 0 || (epoch != tag.epoch && epoch != tag.epoch + 1)) {
    const char* const which = epoch > tag.epoch ? "the directory is as it was some opens ago"
                                                : "the pool is as it was some opens ago";
    return Status::Corruption("it is at epoch " + NumberToString(epoch) + ", the manifest in " +
                              dbname() + " at " + NumberToString(tag.epoch) + ": " + which +
                              ", as if restored from a copy");
  }
  if (epoch == tag.epoch) {
    status = pool->RaiseEpoch();
  } else if (pool->was_clean()) {
    status = pool->MarkInUse();  // an open that failed has left the mark
  }
  next_tag_ = {tag.pool, tag.epoch + 2};
  return status;
}

Status PoolAttach::Settle(Pool* pool) {
  Status status = pool->RaiseEpoch();
  PmemFile settled = file_;
  NoteAssumptions(MakePoolOptions(), &settled);
  settled.state = PmemFile::kUsed;
  settled.size = pool->ceiling();
  if (!status.ok() || EncodePmemFile(settled) == EncodePmemFile(file_)) return status;
  file_ = settled;
  return WritePmemFile(env(), dbname(), file_);
}

void PoolAttach::NoteAssumptions(const PoolOptions& options, PmemFile* file) const {
  file->assume_pmem = options.assume_pmem;
  file->assume_pmem_anywhere = options.assume_pmem && options.assume_pmem_anywhere;
}

PoolOptions PoolAttach::MakePoolOptions() const {
  PoolOptions options;
  options.assume_pmem = request_.assume_pmem || (has_file_ && file_.assume_pmem);
  options.assume_pmem_anywhere =
      request_.assume_pmem_anywhere || (has_file_ && file_.assume_pmem_anywhere);
  options.guard_faults = request_.guard_faults;
  options.extent_size = request_.extent_size;
  options.persist_factory = request_.persist_factory;
  options.info_log = info_log();
  return options;
}

void PoolAttach::Adopt(std::unique_ptr<Pool> pool) {
  Log(info_log(), "tier: pool %s (id %s), %llu of at most %llu bytes", pool->path().c_str(),
      pool->id().Text().c_str(), static_cast<unsigned long long>(pool->size()),
      static_cast<unsigned long long>(pool->ceiling()));
  tier_ = std::make_unique<PmemTier>(std::move(pool), request_.tier);
}

// ---- no pool according to the manifest ---------------------------------------------------------

Status PoolAttach::WithoutTag(bool is_new) {
  bool wants_pool = is_new || request_.convert;
  if (has_file_) {
    // The interrupted operation was to create a pool.
    wants_pool |= file_.state == PmemFile::kNew;
    const Status status = RefuseOrLeave();
    if (!status.ok()) return status;
  }
  if (wants_pool) return MakePoolOrStayPlain();
  if (request_.require_tier) {
    return Status::InvalidArgument(dbname(),
                                   "is a plain database: PmemOptions::convert gives it a pool");
  }
  if (!request_.path.empty()) {
    Log(info_log(),
        "tier: a plain database that exists already stays plain, unless "
        "PmemOptions::convert or LEVELDB_PMEM_CONVERT=1 say otherwise");
  }
  return Status::OK();
}

Status PoolAttach::RefuseOrLeave() {
  if (file_.state == PmemFile::kUsed) {
    return Status::Corruption(
        PmemFileName(dbname()) + " says that the newest data is in the pool " + file_.pool +
        ", but the manifest in that directory knows of no pool, as if it was restored from a copy; "
        "put the right manifest back, or run `bushstore repair " +
        dbname() + "`");
  }
  return FinishLeaving();
}

// Removes a pool whose contents are all stored elsewhere, and the file that names it.
Status PoolAttach::FinishLeaving() {
  Log(info_log(), "tier: what was begun with the pool %s is ended", file_.pool.c_str());
  Status status;
  if (PoolIsSurelyOurs(env(), dbname(), file_)) {
    status = file_.state == PmemFile::kAside ? SetPoolAside(file_.pool) : RemovePool(file_.pool);
  }
  if (status.ok()) status = RemovePmemFile(env(), dbname());
  return status;
}

Status PoolAttach::MakePoolOrStayPlain() {
  const bool was_begun = has_file_ && file_.state == PmemFile::kNew;
  if (request_.path.empty() && !was_begun) {
    if (!request_.require_tier) return Status::OK();
    return Status::InvalidArgument(dbname(),
                                   "PmemOptions::path does not say where its pool is to be");
  }
  const Status status = MakePool();
  if (status.ok()) return status;
  // A pool that could not be created has been removed.
  const Status removed = RemovePmemFile(env(), dbname());
  if (!removed.ok()) return removed;
  const std::string message = "no pool can be made for " + dbname() + ": " + status.ToString();
  if (request_.require) return SameKind(status, message);
  Log(info_log(), "tier: opened without: %s", message.c_str());
  has_file_ = false;
  return Status::OK();
}

// Creates a pool. Writes the PMEM file first, so that no pool is ever left without a name.
Status PoolAttach::MakePool() {
  if (!request_.problem.ok()) return request_.problem;
  const std::string place = request_.path.empty() ? PlaceOfPool(file_.pool) : request_.path;
  const bool is_begun_again = has_file_ && file_.state == PmemFile::kNew;
  const std::string owner = CanonicalPath(dbname());
  const PoolId id = PoolId::Random();
  PoolOptions options = MakePoolOptions();
  options.assume_pmem |= request_.assume_pmem_if_new;
  options.size = request_.size;
  if (options.size == 0) options.size = is_begun_again ? file_.size : request_.size_if_new;
  PmemFile file;
  Status status = ChoosePoolPath(place, request_.must_be_directory && !request_.path.empty(), owner,
                                 id, &file.pool);
  if (!status.ok()) return status;
  TellOfOrphans(place);
  // From here on the file that PMEM names may be overwritten, so no other file may be there.
  uint64_t bytes;
  status = PoolFiles(file.pool, PoolKind::kDetect).Measure(options.size, &bytes);
  if (!status.ok()) return status;
  file.id = id.Text();
  file.size = bytes;
  NoteAssumptions(options, &file);
  status = WritePmemFile(env(), dbname(), file);
  if (!status.ok()) return status;
  file_ = file;
  has_file_ = true;

  options.path = CanonicalPath(place);
  options.prefault = request_.prefault;
  std::unique_ptr<Pool> pool;
  status = Pool::Create(options, owner, id, &pool);
  if (status.ok()) status = pool->RaiseEpoch();
  if (!status.ok()) return status;
  next_tag_ = {id, pool->epoch() + 1};
  Adopt(std::move(pool));
  return status;
}

// Logs the pools of earlier databases in this directory. They are kept: it is not known whether the
// directory was removed, or only moved and will be opened again at its new path.
void PoolAttach::TellOfOrphans(const std::string& directory) const {
  std::vector<std::string> paths;
  if (env() != Env::Default() || !Pool::ListPools(directory, &paths).ok()) return;
  const std::string owner = CanonicalPath(dbname());
  for (const std::string& path : paths) {
    PoolDescription found;
    if (IsSetAside(path) || !DescribePool(path, &found).ok() ||
        CurrentOwner(path, found.owner) != owner) {
      continue;
    }
    Log(info_log(),
        "tier: the pool %s is of a database that was here before; if that one was not moved but "
        "removed, `bushstore gc %s --remove` removes its pool",
        path.c_str(), directory.c_str());
  }
}

}  // namespace leveldb
