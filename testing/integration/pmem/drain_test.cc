// After a drain the directory is plain LevelDB's, without a trace of the pool. If the process dies
// during the drain the database opens with the tier or without it, never in between.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/power_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"
#include "testing/threads.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

class Drain : public ::testing::Test {
 protected:
  Drain() : seed_(AnnouncedSeed() % (1u << 30)), dice_(seed_), history_(seed_, 1500) {}

  // Makes trees of several levels, tables, and a log.
  void Fill(DB* db) {
    for (int layer = 0; layer < 7; ++layer) {
      for (int i = 0; i < 40; ++i) {
        history_.Extend();
        WriteBatch batch = history_.Batch(history_.size());
        ASSERT_OK(db->Write(WriteOptions(), &batch));
      }
      const Slice beyond("\xff");
      if (layer < 6) {
        db->CompactRange(&beyond, &beyond);
      }
      if (layer == 3) {
        db->CompactRange(nullptr, nullptr);
      }
    }
  }

  // Expects that the space of replaced tables is free when a drain returns.
  void ExpectNoUselessTable() {
    size_t in_use = 0;
    for (int level = 0; level < 7; ++level) {
      std::string text;
      ASSERT_TRUE(
          store_.db()->GetProperty("leveldb.num-files-at-level" + std::to_string(level), &text));
      in_use += std::stoull(text);
    }
    EXPECT_EQ(FileNamesEnding(store_.path(), ".ldb").size(), in_use);
  }

  void ExpectPlain() {
    store_.Close();
    EXPECT_EQ(store_.PoolNames(), "");
    EXPECT_FALSE(std::filesystem::exists(store_.path() + "/PMEM"));
    if (HaveStockLibrary()) {
      const Finished checked = RunDriver(
          Library::kStock,
          {store_.path(), "check", std::to_string(seed_), std::to_string(history_.size())});
      EXPECT_EQ(checked.code, 0) << checked.output;
    }
    ASSERT_OK(store_.OpenPlainly());
    ASSERT_OK(store_.CheckAt(history_));
  }

  const uint64_t seed_;
  Dice dice_;
  TierStore store_{kTinyPool};
  History history_;
};

TEST_F(Drain, OfAnOpenDatabaseLeavesAPlainOne) {
  ASSERT_OK(store_.Open());
  Fill(store_.db());
  ASSERT_OK(store_.pmem_db()->Drain());
  ExpectNoUselessTable();
  ASSERT_OK(store_.CheckAt(history_));
  // The database is still open, can be written, and drained again.
  ASSERT_OK(store_.Write(&history_, 100));
  ASSERT_OK(store_.pmem_db()->Drain());
  ASSERT_OK(store_.CheckAt(history_));
  ExpectPlain();
}

TEST_F(Drain, OfAClosedDatabaseLeavesAPlainOne) {
  ASSERT_OK(store_.Open());
  Fill(store_.db());
  store_.Close();
  ASSERT_OK(DrainDB(store_.path(), store_.options));
  ExpectPlain();
  store_.Close();
  // For a database without a tier there is nothing to do.
  ASSERT_OK(DrainDB(store_.path(), store_.options));
  ExpectPlain();
}

TEST_F(Drain, WaitsForNobodyWhoReads) {
  ASSERT_OK(store_.Open());
  Fill(store_.db());
  const History before = history_;
  const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
  iterator->SeekToFirst();
  const Snapshot* const snapshot = store_.db()->GetSnapshot();
  ASSERT_OK(store_.pmem_db()->Drain());
  ASSERT_OK(store_.Write(&history_, 50));
  const Contents expected = before.StateAfter(before.size());
  size_t seen = 0;
  for (; iterator->Valid(); iterator->Next(), ++seen) {
    ASSERT_LT(seen, expected.size());
    ASSERT_EQ(iterator->key().ToString(), expected[seen].first);
    ASSERT_TRUE(iterator->value() == expected[seen].second);
  }
  ASSERT_EQ(seen, expected.size());
  Contents contents;
  ASSERT_OK(ReadContents(store_.db(), &contents, snapshot));
  ASSERT_TRUE(contents == expected);
  store_.db()->ReleaseSnapshot(snapshot);
}

TEST_F(Drain, WhileOthersReadAndWrite) {
  ASSERT_OK(store_.Open());
  Fill(store_.db());
  {
    Threads threads;
    threads.Repeat([&] { ASSERT_OK(store_.Write(&history_, 1)); });
    threads.Repeat([&] {
      Contents contents;
      ASSERT_OK(ReadContents(store_.db(), &contents));
    });
    threads.Run([&] { ASSERT_OK(store_.pmem_db()->Drain()); });
  }
  ASSERT_OK(store_.CheckAt(history_));
  ExpectPlain();
}

TEST_F(Drain, CanBeUndoneByConverting) {
  store_.pmem.convert = true;
  for (int round = 0; round < 3; ++round) {
    ASSERT_OK(store_.Open());
    ASSERT_NE(store_.PoolNames(), "");
    ASSERT_OK(store_.CheckAt(history_));
    ASSERT_OK(store_.Write(&history_, 80));
    ASSERT_OK(store_.pmem_db()->Drain());
    ExpectPlain();
  }
}

// The log file that a drain begins is not left if it cannot be synced: its number would be between
// those of logs in the pool.
TEST_F(Drain, GoesOnWithTheLogInThePoolIfTheLogFileCannotBeSynced) {
  FaultEnv env(Env::Default());
  store_.options.env = &env;
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.Write(&history_, 40));
  store_.Flush();
  Fault fault;
  fault.call = Call::kSync;
  fault.only_names_with = ".log";
  env.Inject(fault);
  EXPECT_TRUE(store_.pmem_db()->Drain().IsIOError());
  EXPECT_EQ(env.failures(), 1u);
  env.Heal();
  EXPECT_TRUE(FileNamesEnding(store_.path(), ".log").empty());
  ASSERT_OK(store_.Write(&history_, 40));
  store_.Flush();
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.CheckAt(history_));
  store_.Close();
}

// The state that a crash leaves at one of the drain's changes to the disk.
struct Image {
  std::unique_ptr<PowerEnv> disk;
  std::string pools;
};

TEST_F(Drain, SurvivesACrashAtEachStep) {
  for (const Loss loss : {Loss::kDropAll, Loss::kKeepAll, Loss::kInOrder}) {
    PowerEnv disk;
    store_.options.env = &disk;
    history_ = History(dice_.Next(), 800);
    PmemDB* opened = nullptr;
    ASSERT_OK(PmemOpen(store_.options, store_.pmem, "/db", &opened));
    std::unique_ptr<DB> db(opened);
    Fill(db.get());
    std::mutex mutex;
    std::vector<Image> images;
    disk.SetChangeListener([&](uint64_t) {
      const std::lock_guard<std::mutex> guard(mutex);
      const std::string pools = store_.dir() / ("image" + std::to_string(images.size()));
      // Other threads continue meanwhile. Disk and pool are of one moment if the pool has not
      // changed while they were copied.
      std::unique_ptr<PowerEnv> found;
      do {
        RemoveDir(pools);
        CopyDir(store_.pools(), pools);
        found = disk.AfterPowerLoss(loss, &dice_);
      } while (!SameFiles(store_.pools(), pools));
      images.push_back(Image{std::move(found), pools});
    });
    ASSERT_OK(opened->Drain());
    disk.SetChangeListener(nullptr);
    ASSERT_OK(db->Put(WriteOptions(), "~after", ""));
    images.push_back(Image{disk.AfterPowerLoss(Loss::kKeepAll, &dice_), ""});
    db.reset();
    ASSERT_GT(images.size(), 5u);
    size_t number = 0;
    bool was_plain = false;
    for (Image& image : images) {
      SCOPED_TRACE("image " + std::to_string(++number) + " of " + std::to_string(images.size()));
      RemoveDir(store_.pools());
      image.pools.empty() ? static_cast<void>(std::filesystem::create_directory(store_.pools()))
                          : std::filesystem::rename(image.pools, store_.pools());
      store_.options.env = image.disk.get();
      for (int time = 0; time < 2; ++time) {
        DB* plain = nullptr;
        ASSERT_OK(DB::Open(store_.options, "/db", &plain)) << image.disk->Describe();
        db.reset(plain);
        uint64_t count = 0;
        if (number < images.size()) {
          ASSERT_OK(history_.Check(db.get(), &count)) << image.disk->Describe();
          ASSERT_EQ(count, history_.size());
        }
        std::string value;
        const bool is_plain = !db->GetProperty("leveldb.pmem", &value);
        // Once the database has left the tier it never returns to it.
        ASSERT_TRUE(is_plain || !was_plain || loss != Loss::kKeepAll);
        was_plain = is_plain;
        db.reset();
        // With the tier or without: the file that names the pool and the pool agree.
        ASSERT_EQ(is_plain, !image.disk->FileExists("/db/PMEM"));
        ASSERT_EQ(is_plain, store_.PoolNames().empty());
      }
    }
    EXPECT_TRUE(was_plain);
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
