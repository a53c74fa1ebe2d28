// A small but complete C++ program: opens, writes a compressed table, reads, destroys.

#include <cstdio>
#include <string>

#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    return 2;
  }
  const leveldb::FilterPolicy* const bloom = leveldb::NewBloomFilterPolicy(10);
  leveldb::Options options;
  options.create_if_missing = true;
  options.filter_policy = bloom;
  leveldb::DB* db = nullptr;
  leveldb::Status status = leveldb::DB::Open(options, argv[1], &db);
  if (status.ok()) {
    leveldb::WriteBatch batch;
    batch.Put("key", std::string(10000, 'v'));
    status = db->Write(leveldb::WriteOptions(), &batch);
  }
  std::string value;
  if (status.ok()) {
    db->CompactRange(nullptr, nullptr);
    status = db->Get(leveldb::ReadOptions(), "key", &value);
  }
  delete db;
  delete bloom;
  if (status.ok()) {
    status = leveldb::DestroyDB(argv[1], leveldb::Options());
  }
  std::printf("%s, %zu bytes\n", status.ToString().c_str(), value.size());
  return status.ok() && value == std::string(10000, 'v') ? 0 : 1;
}
