#include "db/open/resolve_options.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "db/files/filename.h"

namespace leveldb {

namespace {

constexpr int kNonTableFiles = 10;  // of max_open_files: logs, manifest, lock and the like
constexpr int kMinOpenFiles = 64 + kNonTableFiles;
constexpr int kMaxOpenFiles = 50000;
constexpr size_t kMinWriteBufferBytes = size_t{64} << 10;
constexpr size_t kMaxWriteBufferBytes = size_t{1} << 30;
constexpr size_t kMinFileBytes = size_t{1} << 20;
constexpr size_t kMaxFileBytes = size_t{1} << 30;
constexpr size_t kMinBlockBytes = size_t{1} << 10;
constexpr size_t kMaxBlockBytes = size_t{4} << 20;
constexpr size_t kDefaultCacheBytes = size_t{8} << 20;

constexpr uint64_t kMaxWalPersistBytes = uint64_t{1} << 30;
constexpr double kMinGcRatio = 0.01;

// More would compete for the disk and for key ranges.
constexpr int kMaxRunningCompactions = 4;

// With this many, a flush and a merge have a core each in addition to those of writers and readers.
constexpr int kCoresForFlushAndMerge = 4;

// Hints take eight bytes each: in total an eighth of the size of a memtable.
constexpr size_t kBufferBytesPerHint = 64;

double InRange(double value, double low, double high, double if_not_a_number) {
  return std::isnan(value) ? if_not_a_number : std::clamp(value, low, high);
}

size_t WriteBufferWithinLimits(size_t bytes) {
  return std::clamp(bytes, kMinWriteBufferBytes, kMaxWriteBufferBytes);
}

PmemTierOptions ResolveTier(const PmemOptions& user, size_t write_buffer_size) {
  const PmemOptions defaults;
  PmemTierOptions tier;
  tier.value_separation_bytes = user.value_separation_bytes;
  tier.wal_persist_bytes = std::min(user.wal_persist_bytes, kMaxWalPersistBytes);
  tier.gc_ratio = InRange(user.gc_ratio, kMinGcRatio, 1, defaults.gc_ratio);
  tier.dynamic_tree = user.dynamic_tree;
  tier.spill = user.spill;
  tier.spill_start = InRange(user.spill_start, 0, 1, defaults.spill_start);
  tier.spill_stop = InRange(user.spill_stop, 0, 1, defaults.spill_stop);
  tier.spill_stop = std::min(tier.spill_stop, tier.spill_start);
  tier.hinted_values = WriteBufferWithinLimits(write_buffer_size) / kBufferBytesPerHint;
  return tier;
}

}  // namespace

std::unique_ptr<ResolvedOptions> ResolveOptions(const std::string& name, const Options& user) {
  auto resolved = std::make_unique<ResolvedOptions>(name, user);
  Options& options = resolved->options;
  options.max_open_files = std::clamp(options.max_open_files, kMinOpenFiles, kMaxOpenFiles);
  options.write_buffer_size = WriteBufferWithinLimits(options.write_buffer_size);
  options.max_file_size = std::clamp(options.max_file_size, kMinFileBytes, kMaxFileBytes);
  options.block_size = std::clamp(options.block_size, kMinBlockBytes, kMaxBlockBytes);
  options.block_restart_interval = std::max(options.block_restart_interval, 1);
  if (options.block_cache == nullptr) {
    resolved->owned_block_cache.reset(NewLRUCache(kDefaultCacheBytes));
    options.block_cache = resolved->owned_block_cache.get();
  }
  resolved->table_cache_entries = options.max_open_files - kNonTableFiles;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  resolved->max_running_compactions = std::clamp(cores, 1, kMaxRunningCompactions);
  resolved->cores_are_few = cores < kCoresForFlushAndMerge;
  return resolved;
}

PmemRequest ResolvePmem(const Options& user, const PmemOptions* caller,
                        const PmemEnvironment& environment) {
  const PmemEnvironment said = user.env == Env::Default() ? environment : PmemEnvironment();
  PmemRequest request;
  request.path = said.path;
  request.must_be_directory = true;
  request.size_if_new = said.size;
  request.assume_pmem_if_new = said.assume_pmem;
  request.prefault = said.prefault;
  request.convert = said.convert;
  request.require = said.require;
  request.problem = said.problem;
  request.tier = ResolveTier(caller == nullptr ? PmemOptions() : *caller, user.write_buffer_size);
  if (caller == nullptr) return request;
  if (!caller->path.empty()) {
    request.path = caller->path;
    request.must_be_directory = false;
    request.problem = Status::OK();
  }
  request.size = caller->size;
  request.assume_pmem = caller->assume_pmem;
  request.assume_pmem_anywhere = caller->assume_pmem_anywhere;
  request.guard_faults = caller->guard_faults;
  request.prefault |= caller->prefault;
  request.convert |= caller->convert;
  request.require |= caller->require;
  request.require_tier = caller->require;
  return request;
}

PmemRequest ResolvePmem(const Options& user, const PmemOptions* caller) {
  return ResolvePmem(user, caller, ReadPmemEnvironment());
}

void OpenInfoLog(ResolvedOptions* resolved) {
  Options& options = resolved->options;
  if (options.info_log != nullptr) return;
  const std::string current = InfoLogFileName(resolved->dbname);
  if (options.env->FileExists(current)) {
    // A LOG that cannot be renamed to LOG.old is overwritten: this is no reason to refuse an open.
    options.env->RenameFile(current, OldInfoLogFileName(resolved->dbname)).ok();
  }
  Logger* logger = nullptr;
  if (!options.env->NewLogger(current, &logger).ok()) return;
  resolved->owned_info_log.reset(logger);
  options.info_log = logger;
}

}  // namespace leveldb
