// StoreOptions tells how a store is opened. An option that means the same in several stores has the
// same name and the same default for all of them, whatever their own defaults are.
#ifndef BUSHSTORE_YCSBC_STORE_OPTIONS_H_
#define BUSHSTORE_YCSBC_STORE_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "ycsbc/property_reader.h"

namespace leveldb::ycsbc {

struct StoreOptions {
  std::string path;
  // Whether to create the store if it does not exist; otherwise that is an error.
  bool create = false;

  // The following apply to every store that has the feature.
  uint64_t cache_size = uint64_t{64} << 20;         // blocks or pages, read or (WiredTiger) dirty
  uint64_t write_buffer_size = uint64_t{64} << 20;  // memtables; LevelDB and RocksDB
  uint64_t bloom_bits = 10;                         // for each key, 0: no filter; same stores
  CompressionType compression = kNoCompression;     // all but LMDB
  bool sync = false;                                // every write is on the medium when it returns

  struct LevelDb {
    uint64_t max_file_size = Options().max_file_size;
    uint64_t block_size = Options().block_size;
    uint64_t open_files = static_cast<uint64_t>(Options().max_open_files);
    bool use_pm = false;
    PmemOptions pmem;  // assume_pmem is determined when it is opened
  } leveldb;

  struct RocksDb {
    uint64_t background_jobs = 2;
    bool advise_random_on_open = true;       // RocksDB's default
    uint64_t compaction_readahead_size = 0;  // RocksDB's default
    uint64_t block_size = 4096;              // RocksDB's default
  } rocksdb;

  struct Lmdb {
    uint64_t map_size = uint64_t{64} << 30;  // the greatest size of a database
  } lmdb;
};

// Returns the properties that have an effect only with a tier on persistent memory.
const std::vector<std::string>& TierProperties();

// Read the options of one binding, from its properties `<binding>.<option>`.
StoreOptions ReadLevelDbOptions(PropertyReader* reader);
StoreOptions ReadRocksDbOptions(PropertyReader* reader);
StoreOptions ReadLmdbOptions(PropertyReader* reader);
StoreOptions ReadWiredTigerOptions(PropertyReader* reader);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_STORE_OPTIONS_H_
