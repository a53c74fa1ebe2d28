#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/version.h>
#include <rocksdb/write_batch.h>

#include <utility>

#include "ycsbc/bindings.h"

namespace leveldb::ycsbc {

namespace {

::rocksdb::Slice Theirs(const Slice& bytes) {
  return ::rocksdb::Slice(bytes.data(), bytes.size());
}

Slice Ours(const ::rocksdb::Slice& bytes) {
  return Slice(bytes.data(), bytes.size());
}

Status Ours(const ::rocksdb::Status& status) {
  if (status.ok()) return Status::OK();
  const std::string words = status.ToString();
  if (status.IsNotFound()) return Status::NotFound("rocksdb", words);
  if (status.IsCorruption()) return Status::Corruption("rocksdb", words);
  return Status::IOError("rocksdb", words);
}

class RocksDbSession final : public StoreSession {
 public:
  RocksDbSession(::rocksdb::DB* db, bool sync) : db_(db) { write_options_.sync = sync; }

  Status Get(const Slice& key, std::string* value) override {
    return Ours(db_->Get(read_options_, Theirs(key), value));
  }

  Status Put(const Slice& key, const Slice& value) override {
    return Ours(db_->Put(write_options_, Theirs(key), Theirs(value)));
  }

  Status PutAll(const EntryList& entries) override {
    batch_.Clear();
    for (size_t i = 0; i < entries.size(); ++i) {
      const ::rocksdb::Status added = batch_.Put(Theirs(entries.key(i)), Theirs(entries.value(i)));
      if (!added.ok()) return Ours(added);
    }
    return Ours(db_->Write(write_options_, &batch_));
  }

  Status Delete(const Slice& key) override {
    return Ours(db_->Delete(write_options_, Theirs(key)));
  }

  Status ScanEach(const Slice& start, ScanVisitor* visitor) override {
    const std::unique_ptr<::rocksdb::Iterator> iterator(db_->NewIterator(read_options_));
    for (iterator->Seek(Theirs(start)); iterator->Valid(); iterator->Next()) {
      if (!visitor->Visit(Ours(iterator->key()), Ours(iterator->value()))) break;
    }
    return Ours(iterator->status());
  }

  Status ScanEachBack(ScanVisitor* visitor) override {
    const std::unique_ptr<::rocksdb::Iterator> iterator(db_->NewIterator(read_options_));
    for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
      if (!visitor->Visit(Ours(iterator->key()), Ours(iterator->value()))) break;
    }
    return Ours(iterator->status());
  }

 private:
  ::rocksdb::DB* const db_;
  const ::rocksdb::ReadOptions read_options_;
  ::rocksdb::WriteOptions write_options_;
  ::rocksdb::WriteBatch batch_;
};

class RocksDbStore final : public Store {
 public:
  RocksDbStore(std::unique_ptr<::rocksdb::DB> db, bool sync) : sync_(sync), db_(std::move(db)) {}

  std::unique_ptr<StoreSession> NewSession() override {
    return std::make_unique<RocksDbSession>(db_.get(), sync_);
  }

  std::string Statistics() override {
    std::string text;
    return db_->GetProperty("rocksdb.stats", &text) ? text : "";
  }

 private:
  const bool sync_;
  const std::unique_ptr<::rocksdb::DB> db_;
};

::rocksdb::CompressionType CompressionOf(CompressionType type) {
  switch (type) {
    case kNoCompression:
      return ::rocksdb::kNoCompression;
    case kSnappyCompression:
      return ::rocksdb::kSnappyCompression;
    case kZstdCompression:
      return ::rocksdb::kZSTD;
  }
  return ::rocksdb::kNoCompression;
}

}  // namespace

Status OpenRocksDb(const StoreOptions& from, std::unique_ptr<Store>* store) {
  ::rocksdb::BlockBasedTableOptions table;
  table.block_cache = ::rocksdb::NewLRUCache(from.cache_size);
  if (from.bloom_bits > 0) {
    table.filter_policy.reset(
        ::rocksdb::NewBloomFilterPolicy(static_cast<double>(from.bloom_bits)));
  }
  table.block_size = from.rocksdb.block_size;
  ::rocksdb::Options options;
  options.create_if_missing = from.create;
  options.write_buffer_size = from.write_buffer_size;
  options.compression = CompressionOf(from.compression);
  options.advise_random_on_open = from.rocksdb.advise_random_on_open;
  options.compaction_readahead_size = from.rocksdb.compaction_readahead_size;
  options.max_background_jobs = static_cast<int>(from.rocksdb.background_jobs);
  options.table_factory.reset(::rocksdb::NewBlockBasedTableFactory(table));
  ::rocksdb::DB* db = nullptr;
  const ::rocksdb::Status status = ::rocksdb::DB::Open(options, from.path, &db);
  if (!status.ok()) return Ours(status);
  *store = std::make_unique<RocksDbStore>(std::unique_ptr<::rocksdb::DB>(db), from.sync);
  return Status::OK();
}

std::string RocksDbVersion() {
  return ::rocksdb::GetRocksVersionAsString();
}

}  // namespace leveldb::ycsbc
