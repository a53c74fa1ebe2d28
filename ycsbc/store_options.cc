#include "ycsbc/store_options.h"

#include "benchmarks/tier_options.h"

namespace leveldb::ycsbc {

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kTiB = uint64_t{1} << 40;
constexpr uint64_t kCacheSizeMin = kMiB;  // WiredTiger's
constexpr uint64_t kBloomBitsMax = 100;

void ReadCacheSize(PropertyReader* reader, const std::string& binding, StoreOptions* options) {
  reader->ReadSize(binding + ".cache_size", &options->cache_size, kCacheSizeMin, kTiB);
}

void ReadWriteBuffer(PropertyReader* reader, const std::string& binding, StoreOptions* options) {
  reader->ReadSize(binding + ".write_buffer_size", &options->write_buffer_size, 64 << 10, kTiB);
}

void ReadBloomBits(PropertyReader* reader, const std::string& binding, StoreOptions* options) {
  reader->Read(binding + ".bloom_bits", &options->bloom_bits, 0, kBloomBitsMax);
}

void ReadCompression(PropertyReader* reader, const std::string& binding, StoreOptions* options) {
  int type = static_cast<int>(options->compression);
  reader->ReadWord(binding + ".compression", {"none", "snappy", "zstd"}, &type);
  options->compression = static_cast<CompressionType>(type);
}

void ReadSync(PropertyReader* reader, const std::string& binding, StoreOptions* options) {
  reader->Read(binding + ".sync", &options->sync);
}

void ReadTier(PropertyReader* reader, PmemOptions* pmem) {
  const std::string prefix = "leveldb.";
  constexpr uint64_t kAnySize = UINT64_MAX;
  reader->ReadSize(prefix + "pm_size", &pmem->size, 0, kAnySize);
  reader->Read(prefix + "pm_prefault", &pmem->prefault);
  reader->ReadSize(prefix + "wal_persist_bytes", &pmem->wal_persist_bytes, 0, kAnySize);
  reader->ReadSize(prefix + "value_separation_bytes", &pmem->value_separation_bytes, 0, kAnySize);
  reader->Read(prefix + "gc_ratio", &pmem->gc_ratio, 0, 1);
  reader->Read(prefix + "dynamic_tree", &pmem->dynamic_tree);
  reader->Read(prefix + "flush_ssd", &pmem->spill);
  reader->Read(prefix + "spill_start", &pmem->spill_start, 0, 1);
  reader->Read(prefix + "spill_stop", &pmem->spill_stop, 0, 1);
  reader->AddMistake(bench::FindTierMistake(*pmem, prefix));
}

}  // namespace

const std::vector<std::string>& TierProperties() {
  static const std::vector<std::string> names = [] {
    const Properties none;
    PropertyReader reader(none);
    PmemOptions pmem;
    ReadTier(&reader, &pmem);
    std::vector<std::string> read;
    for (const auto& [name, value] : reader.values()) read.push_back(name);
    return read;
  }();
  return names;
}

StoreOptions ReadLevelDbOptions(PropertyReader* reader) {
  const std::string binding = "leveldb";
  StoreOptions options;
  ReadCacheSize(reader, binding, &options);
  ReadWriteBuffer(reader, binding, &options);
  ReadBloomBits(reader, binding, &options);
  ReadCompression(reader, binding, &options);
  ReadSync(reader, binding, &options);
  reader->ReadSize(binding + ".max_file_size", &options.leveldb.max_file_size, kMiB, kTiB);
  reader->ReadSize(binding + ".block_size", &options.leveldb.block_size, 1024, 4 * kMiB);
  reader->Read(binding + ".open_files", &options.leveldb.open_files, 74, 50'000);
  ReadTier(reader, &options.leveldb.pmem);
  return options;
}

StoreOptions ReadRocksDbOptions(PropertyReader* reader) {
  const std::string binding = "rocksdb";
  StoreOptions options;
  ReadCacheSize(reader, binding, &options);
  ReadWriteBuffer(reader, binding, &options);
  ReadBloomBits(reader, binding, &options);
  ReadCompression(reader, binding, &options);
  ReadSync(reader, binding, &options);
  reader->Read(binding + ".background_jobs", &options.rocksdb.background_jobs, 1, 1024);
  reader->Read(binding + ".advise_random_on_open", &options.rocksdb.advise_random_on_open);
  reader->ReadSize(binding + ".compaction_readahead_size",
                   &options.rocksdb.compaction_readahead_size, 0, kTiB);
  reader->ReadSize(binding + ".block_size", &options.rocksdb.block_size, 1024, 4 * kMiB);
  return options;
}

StoreOptions ReadLmdbOptions(PropertyReader* reader) {
  const std::string binding = "lmdb";
  StoreOptions options;
  ReadSync(reader, binding, &options);
  reader->ReadSize(binding + ".map_size", &options.lmdb.map_size, kMiB, 64 * kTiB);
  return options;
}

StoreOptions ReadWiredTigerOptions(PropertyReader* reader) {
  const std::string binding = "wiredtiger";
  StoreOptions options;
  ReadCacheSize(reader, binding, &options);
  ReadCompression(reader, binding, &options);
  ReadSync(reader, binding, &options);
  return options;
}

}  // namespace leveldb::ycsbc
