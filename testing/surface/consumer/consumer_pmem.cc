// A C++ program that uses the persistent-memory tier: opens, writes, drains, reads as a plain
// database.

#include <cstdio>
#include <string>

#include "leveldb/db.h"
#include "leveldb/pmem.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    return 2;
  }
  const std::string name(argv[1]);
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::PmemOptions pmem;
  pmem.path = name + ".pool";
  pmem.size = 8 << 20;
  pmem.assume_pmem = true;
  pmem.assume_pmem_anywhere = true;
  leveldb::PmemDB* with_pool = nullptr;
  leveldb::Status status = leveldb::PmemOpen(options, pmem, name, &with_pool);
  if (status.IsNotSupportedError()) {
    std::printf("built without the tier: %s\n", status.ToString().c_str());
    return 0;
  }
  std::string use;
  if (status.ok()) {
    status = with_pool->Put(leveldb::WriteOptions(), "key", std::string(10000, 'v'));
    with_pool->GetProperty("leveldb.pmem.pool-used-bytes", &use);
  }
  if (status.ok()) {
    status = with_pool->Drain();
  }
  delete with_pool;
  leveldb::DB* db = nullptr;
  if (status.ok()) {
    status = leveldb::DB::Open(leveldb::Options(), name, &db);
  }
  std::string value;
  if (status.ok()) {
    status = db->Get(leveldb::ReadOptions(), "key", &value);
  }
  delete db;
  if (status.ok()) {
    status = leveldb::DestroyDB(name, leveldb::Options());
  }
  std::printf("%s, %zu bytes, %s of the pool in use\n", status.ToString().c_str(), value.size(),
              use.c_str());
  return status.ok() && value == std::string(10000, 'v') && !use.empty() ? 0 : 1;
}
