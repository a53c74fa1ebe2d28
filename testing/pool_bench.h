// PoolBench: a temporary directory for a pool, and the options to create and open it with.
#ifndef BUSHSTORE_TESTING_POOL_BENCH_H_
#define BUSHSTORE_TESTING_POOL_BENCH_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pmem/media/pool.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

class PoolBench {
 public:
  explicit PoolBench(PoolKind kind, Medium medium = Medium::kMemory) : dir_(medium) {
    options.path = kind == PoolKind::kDirectory ? dir_.path() : dir_ / "pool";
    options.size = kBytes;
    options.assume_pmem = IsInMemory(dir_.path());
  }

  Status Create() {
    pool.reset();
    const Status s = Pool::Create(options, kOwner, id, &pool);
    if (s.ok()) options.path = pool->path();
    return s;
  }
  Status Open() {
    pool.reset();
    return Pool::Open(options, &id, &pool);
  }
  std::string dir() const { return dir_.path(); }
  bool IsEmpty() const { return std::filesystem::is_empty(dir_.path()); }

  static constexpr uint64_t kBytes = 64 << 20;
  static constexpr char kOwner[] = "/home/somebody/the database";

  PoolOptions options;
  const PoolId id = PoolId::Random();
  std::unique_ptr<Pool> pool;

 private:
  const TempDir dir_;
};

// Expects that the status is of this kind and its message has all these words.
inline void ExpectError(const Status& s, bool is_kind, const std::vector<std::string>& words) {
  EXPECT_TRUE(is_kind) << s.ToString();
  for (const std::string& word : words) {
    EXPECT_NE(std::string::npos, s.ToString().find(word)) << s.ToString() << " lacks " << word;
  }
}

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_POOL_BENCH_H_
