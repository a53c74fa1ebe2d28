// The binding for LevelDB's interface: this library, with or without a tier on persistent memory,
// or any libleveldb that the program is run with.
#include <utility>

#include "benchmarks/tier_database.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"
#include "ycsbc/bindings.h"

namespace leveldb::ycsbc {

namespace {

class LevelDbSession final : public StoreSession {
 public:
  LevelDbSession(DB* db, bool sync) : db_(db) { write_options_.sync = sync; }

  Status Get(const Slice& key, std::string* value) override {
    return db_->Get(read_options_, key, value);
  }

  Status Put(const Slice& key, const Slice& value) override {
    return db_->Put(write_options_, key, value);
  }

  Status PutAll(const EntryList& entries) override {
    batch_.Clear();
    for (size_t i = 0; i < entries.size(); ++i) batch_.Put(entries.key(i), entries.value(i));
    return db_->Write(write_options_, &batch_);
  }

  Status Delete(const Slice& key) override { return db_->Delete(write_options_, key); }

  Status ScanEach(const Slice& start, ScanVisitor* visitor) override {
    const std::unique_ptr<Iterator> iterator(db_->NewIterator(read_options_));
    for (iterator->Seek(start); iterator->Valid(); iterator->Next()) {
      if (!visitor->Visit(iterator->key(), iterator->value())) break;
    }
    return iterator->status();
  }

  Status ScanEachBack(ScanVisitor* visitor) override {
    const std::unique_ptr<Iterator> iterator(db_->NewIterator(read_options_));
    for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
      if (!visitor->Visit(iterator->key(), iterator->value())) break;
    }
    return iterator->status();
  }

 private:
  DB* const db_;
  const ReadOptions read_options_;
  WriteOptions write_options_;
  WriteBatch batch_;
};

class LevelDbStore final : public Store {
 public:
  explicit LevelDbStore(const StoreOptions& options)
      : sync_(options.sync),
        cache_(NewLRUCache(options.cache_size)),
        filter_(options.bloom_bits == 0
                    ? nullptr
                    : NewBloomFilterPolicy(static_cast<int>(options.bloom_bits))) {}

  Status Open(const StoreOptions& from) {
    Options options;
    options.create_if_missing = from.create;
    options.write_buffer_size = from.write_buffer_size;
    options.max_file_size = from.leveldb.max_file_size;
    options.block_size = from.leveldb.block_size;
    options.max_open_files = static_cast<int>(from.leveldb.open_files);
    options.compression = from.compression;
    options.block_cache = cache_.get();
    options.filter_policy = filter_.get();
    DB* db = nullptr;
    const Status status = from.leveldb.use_pm ? bench::OpenWithTier(options, from.leveldb.pmem,
                                                                    from.path, "-pmpath", &db)
                                              : DB::Open(options, from.path, &db);
    db_.reset(db);
    return status;
  }

  std::unique_ptr<StoreSession> NewSession() override {
    return std::make_unique<LevelDbSession>(db_.get(), sync_);
  }

  std::string Statistics() override {
    std::string text;
    for (const char* property : {"leveldb.stats", "leveldb.pmem"}) {
      std::string part;
      if (db_->GetProperty(property, &part)) text += part;
    }
    return text;
  }

  bench::TierMetrics Metrics() override { return bench::ReadTierMetrics(db_.get()); }

 private:
  const bool sync_;
  const std::unique_ptr<Cache> cache_;
  const std::unique_ptr<const FilterPolicy> filter_;
  std::unique_ptr<DB> db_;
};

}  // namespace

Status OpenLevelDb(const StoreOptions& options, std::unique_ptr<Store>* store) {
  auto opened = std::make_unique<LevelDbStore>(options);
  const Status status = opened->Open(options);
  if (status.ok()) *store = std::move(opened);
  return status;
}

std::string LevelDbVersion() {
  return std::to_string(kMajorVersion) + "." + std::to_string(kMinorVersion);
}

}  // namespace leveldb::ycsbc
