#include "testing/stress/store_place.h"

#include "db/db_open.h"
#include "testing/comparators.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

StoreOptions::StoreOptions(const StorePlace& place, const Numbers& numbers) {
  options.env = place.env;
  options.comparator = ComparatorOf(place.order);
  options.create_if_missing = true;
  options.write_buffer_size = numbers.Get("write_buffer", 64 << 10);
  options.block_size = numbers.Get("block_size", 4096);
  options.block_restart_interval = static_cast<int>(numbers.Get("restart", 16));
  options.max_file_size = numbers.Get("max_file", 2 << 20);
  options.max_open_files = static_cast<int>(numbers.Get("open_files", 1000));
  options.compression = static_cast<CompressionType>(numbers.Get("compression", 1) % 3);
  options.paranoid_checks = numbers.Get("paranoid", 0) != 0;
  options.reuse_logs = numbers.Get("reuse_logs", 0) != 0;
  if (numbers.Has("filter")) {
    filter_.reset(NewBloomFilterPolicy(static_cast<int>(numbers.Get("filter", 10))));
    options.filter_policy =
        place.order == KeyOrder::kCaseInsensitive ? CaseInsensitiveFilter() : filter_.get();
  }
  if (numbers.Has("cache")) {
    cache_.reset(NewLRUCache(numbers.Get("cache", 0)));
    options.block_cache = cache_.get();
  }

  // A database without a pool is opened as it is.
  pmem.require = false;
  if (numbers.Get("tier", 0) != 0) {
    pmem.path = place.pools;
    pmem.convert = true;
  }
  pmem.size = place.pool_bytes != 0 ? place.pool_bytes : numbers.Get("pool", 0);
  pmem.assume_pmem = !place.msync;
  pmem.assume_pmem_anywhere = !place.msync && !IsInMemory(place.pools);
  pmem.prefault = numbers.Get("prefault", 0) != 0;
  pmem.guard_faults = numbers.Get("guard", 0) != 0;
  pmem.value_separation_bytes = numbers.Get("separation", 256);
  pmem.wal_persist_bytes = numbers.Get("persist_bytes", 0);
  pmem.gc_ratio = 0.01 * static_cast<double>(numbers.Get("gc", 50));
  pmem.dynamic_tree = numbers.Get("fixed_trees", 0) == 0;
  pmem.spill = numbers.Get("no_spill", 0) == 0;
  pmem.spill_start = 0.01 * static_cast<double>(numbers.Get("spill_start", 85));
  // A pool that is larger than drawn spills at the same number of bytes.
  const uint64_t drawn = numbers.Get("pool", 0);
  if (drawn != 0 && drawn < pmem.size) {
    pmem.spill_start *= static_cast<double>(drawn) / static_cast<double>(pmem.size);
  }
  pmem.spill_stop = pmem.spill_start * 0.01 * static_cast<double>(numbers.Get("spill_stop", 80));
}

namespace {

// Returns whether an open failed because the pool is full and may not spill, so that it has no room
// for a log. The error names the remedies, one of which is spilling.
bool WantsSpills(const Status& status, const StoreOptions& options) {
  return !options.pmem.spill && status.ToString().find(" is full: ") != std::string::npos;
}

}  // namespace

Status OpenStoreAt(const StorePlace& place, const StoreOptions& options,
                   const PersistFactory& persist, std::unique_ptr<PmemDB>* db) {
  db->reset();
  PmemRequest request = ResolvePmem(options.options, &options.pmem);
  request.persist_factory = persist;
  PmemDB* opened = nullptr;
  Status status = OpenDatabaseAs(request, options.options, place.name, &opened);
  if (WantsSpills(status, options)) {
    request.tier.spill = true;
    status = OpenDatabaseAs(request, options.options, place.name, &opened);
  }
  db->reset(opened);
  return status;
}

Status CheckStoreAt(const StorePlace& place, const StoreOptions& options) {
  std::string report;
  Status status = CheckDB(place.name, options.options, options.pmem, &report);
  if (WantsSpills(status, options)) {
    PmemOptions pmem = options.pmem;
    pmem.spill = true;
    report.clear();
    status = CheckDB(place.name, options.options, pmem, &report);
  }
  return status.ok() ? status : Status::Corruption(status.ToString(), report);
}

Status DrainStoreAt(const StorePlace& place, const StoreOptions& options) {
  return DrainDB(place.name, options.options, options.pmem);
}

bool IsPlain(const StorePlace& place) {
  return place.env->FileExists(place.name + "/CURRENT") &&
         !place.env->FileExists(place.name + "/PMEM");
}

bool HasTier(PmemDB* db) {
  std::string text;
  return db->GetProperty("leveldb.pmem", &text);
}

}  // namespace testkit
}  // namespace leveldb
