// Many databases in one process, some of which share a cache, do not affect each other.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kDatabases = 40;

TEST(ManyDatabases, KeepTheirOwnContents) {
  const TempDir dir;
  Dice dice(AnnouncedSeed());
  const std::unique_ptr<Cache> shared_cache(NewLRUCache(1 << 20));
  struct One {
    std::unique_ptr<DB> db;
    History history;
  };
  std::vector<One> all;
  Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.max_open_files = 74;
  const auto open = [&](int which) {
    options.block_cache = which % 2 == 0 ? shared_cache.get() : nullptr;
    DB* db = nullptr;
    EXPECT_OK(DB::Open(options, dir / ("db" + std::to_string(which)), &db));
    return db;
  };
  for (int which = 0; which < kDatabases; ++which) {
    all.push_back(One{std::unique_ptr<DB>(open(which)), History(dice.Next(), 1000)});
  }
  for (int step = 0; step < Scaled(6000); ++step) {
    const int which = static_cast<int>(dice.Below(kDatabases));
    One& one = all[which];
    one.history.Extend();
    WriteBatch batch = one.history.Batch(one.history.size());
    ASSERT_OK(one.db->Write(WriteOptions(), &batch));
    if (dice.OneIn(100)) {
      one.db.reset();
      one.db.reset(open(which));
    } else if (dice.OneIn(200)) {
      one.db->CompactRange(nullptr, nullptr);
    }
  }
  for (int which = 0; which < kDatabases; ++which) {
    all[which].db.reset();
    all[which].db.reset(open(which));
    uint64_t count = 0;
    ASSERT_OK(all[which].history.Check(all[which].db.get(), &count)) << which;
    EXPECT_EQ(count, all[which].history.size());
  }
}

TEST(ManyDatabases, AreMadeAndDestroyedInTurns) {
  const TempDir dir;
  Options options;
  options.create_if_missing = true;
  options.error_if_exists = true;
  for (int round = 0; round < 100; ++round) {
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(options, dir / "db", &opened));
    std::unique_ptr<DB> db(opened);
    std::string value;
    ASSERT_TRUE(db->Get(ReadOptions(), "key", &value).IsNotFound());
    ASSERT_OK(db->Put(WriteOptions(), "key", "value"));
    ASSERT_OK(db->Get(ReadOptions(), "key", &value));
    db.reset();
    ASSERT_OK(DestroyDB(dir / "db", Options()));
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
