// The manifest says that there is a pool, durably, before the first record in the pool is
// acknowledged; a library that does not know pools refuses the directory from the first moment on.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "testing/dice.h"
#include "testing/power_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/test_programs.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

const char kWritten[] = "before the power went";

// Opens what a power cut left on a disk in memory, with the pool that is still there.
class FirstRecord : public ::testing::TestWithParam<bool> {
 protected:
  FirstRecord() : dice_(AnnouncedSeed()) {
    options_.create_if_missing = true;
    store_.pmem.convert = true;
  }

  Status Open(PowerEnv* disk, std::unique_ptr<DB>* db) {
    options_.env = disk;
    PmemDB* opened = nullptr;
    const Status status = PmemOpen(options_, store_.pmem, "/db", &opened);
    db->reset(opened);
    return status;
  }

  Dice dice_;
  TierStore store_{kTinyPool};
  Options options_;
};

TEST_P(FirstRecord, ComesAfterTheTag) {
  PowerEnv disk;
  std::unique_ptr<PowerEnv> left;
  std::unique_ptr<DB> db;
  if (GetParam()) {
    options_.env = &disk;
    DB* plain = nullptr;
    ASSERT_OK(DB::Open(options_, "/db", &plain));
    db.reset(plain);
    ASSERT_OK(db->Put(WriteOptions(), "plain", "past"));
    db.reset();
  }
  ASSERT_OK(Open(&disk, &db));
  ASSERT_OK(db->Put(WriteOptions(), "key", kWritten));
  left = disk.AfterPowerLoss(Loss::kDropAll, &dice_);
  const std::unique_ptr<PowerEnv> untagged = disk.AfterPowerLoss(Loss::kDropAll, &dice_);
  db.reset();

  // Without the text file only the manifest says it, and nothing is opened as a plain database.
  ASSERT_OK(untagged->RemoveFile("/db/PMEM"));
  options_.env = untagged.get();
  DB* plain = nullptr;
  const Status refused = DB::Open(options_, "/db", &plain);
  EXPECT_EQ(plain, nullptr);
  EXPECT_TRUE(Says(refused, "/db/PMEM"));

  ASSERT_OK(Open(left.get(), &db)) << left->Describe();
  std::string value;
  ASSERT_OK(db->Get(ReadOptions(), "key", &value));
  EXPECT_EQ(value, kWritten);
  EXPECT_EQ(db->Get(ReadOptions(), "plain", &value).ok(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Of, FirstRecord, ::testing::Bool(), [](const auto& converted) {
  return converted.param ? "AConvertedDatabase" : "ANewDatabase";
});

TEST(StockLibrary, RefusesTheDirectoryUntilItHasBeenDrained) {
  if (!HaveStockLibrary()) {
    GTEST_SKIP() << "this system has no libleveldb.so.1d of its own (package libleveldb1d)";
  }
  const std::string seed = std::to_string(AnnouncedSeed() % (1u << 30));
  TierStore store(kTinyPool);
  History history(std::stoull(seed), 1500);
  for (const uint64_t batches : {0, 1, 200}) {
    ASSERT_OK(store.Open());
    ASSERT_OK(store.Write(&history, batches));
    if (batches > 1) {
      store.db()->CompactRange(nullptr, nullptr);
    }
    store.Keep("as it is");
    store.Close();
    for (int image = 0; image < 2; ++image) {
      const Finished refused = RunDriver(Library::kStock, {store.path(), "where"});
      EXPECT_EQ(refused.code, 1) << refused.output;
      // The error is not Corruption, on which programs repair or remove databases.
      EXPECT_NE(refused.output.find("Invalid argument"), std::string::npos) << refused.output;
      EXPECT_NE(refused.output.find("bushstore drain"), std::string::npos) << refused.output;
      if (image == 0) {
        store.BringBack("as it is");  // our library did not close it
      }
    }
    // The attempt has changed nothing.
    ASSERT_OK(store.Open());
    ASSERT_OK(store.CheckAt(history));
  }
  store.Close();
  ASSERT_OK(DrainDB(store.path(), store.options));
  const Finished checked = RunDriver(Library::kStock, {store.path(), "check", seed, "201"});
  EXPECT_EQ(checked.code, 0) << checked.output;
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
