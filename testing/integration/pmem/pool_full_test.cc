// The pool is full and may not spill: writes fail with a message that says what to do, reads
// continue, nothing acknowledged is lost, and a larger pool or permission to spill ends it.

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

const std::string kFiller(2000, 'f');

class PoolFull : public ::testing::Test {
 protected:
  PoolFull() : store_(kTinyPool), history_(AnnouncedSeed(), 3000, "h/") {
    store_.pmem.spill = false;
    EXPECT_OK(store_.Open());
    for (int i = 0; i < 20000 && refused_.ok(); ++i) {
      refused_ = store_.db()->Put(WriteOptions(), Filler(fillers_), kFiller);
      fillers_ += refused_.ok() ? 1 : 0;
      if (refused_.ok()) {
        refused_ = store_.Write(&history_, 1);
      }
    }
  }

  static std::string Filler(uint64_t number) { return "filler" + std::to_string(number); }

  // Expects that every acknowledged write is present; the one that failed may be.
  void CheckContents() {
    std::string value;
    for (uint64_t number = 0; number < fillers_; ++number) {
      ASSERT_OK(store_.db()->Get(ReadOptions(), Filler(number), &value)) << number;
      ASSERT_EQ(value, kFiller);
    }
    std::set<uint64_t> present;
    ASSERT_OK(history_.FindBatches(store_.db(), history_.size() - 1, &present));
  }

  TierStore store_;
  History history_;
  Status refused_;
  uint64_t fillers_ = 0;
};

TEST_F(PoolFull, IsAnErrorWithAWayOutAndReadsGoOn) {
  ASSERT_FALSE(refused_.ok());
  EXPECT_TRUE(refused_.IsIOError()) << refused_.ToString();
  EXPECT_TRUE(Says(refused_, store_.pools()));
  EXPECT_TRUE(Says(refused_, "full"));
  EXPECT_TRUE(Says(refused_, "spill"));
  // A large part of the pool held values, however far background jobs had come.
  EXPECT_GT(4 * store_.Metric("value-live-bytes"), store_.Metric("pool-bytes"));
  CheckContents();
  // Writes still fail; reads continue.
  EXPECT_FALSE(store_.db()->Put(WriteOptions(), "other", std::string(100000, 'v')).ok());
  CheckContents();
}

TEST_F(PoolFull, EndsWithAGreaterPool) {
  store_.pmem.size = 4 * kTinyPool;
  ASSERT_OK(store_.Open());
  CheckContents();
  for (int i = 0; i < 500; ++i) {
    ASSERT_OK(store_.db()->Put(WriteOptions(), Filler(fillers_++), kFiller));
  }
  CheckContents();
  ASSERT_OK(store_.Check());
}

TEST_F(PoolFull, EndsWithLeaveToSpill) {
  store_.pmem.spill = true;
  ASSERT_OK(store_.Open());
  CheckContents();
  for (int i = 0; i < 5000; ++i) {
    ASSERT_OK(store_.db()->Put(WriteOptions(), Filler(fillers_++), kFiller));
  }
  CheckContents();
  EXPECT_FALSE(FileNamesEnding(store_.path(), ".ldb").empty());
  ASSERT_OK(store_.Check());
}

// What iterators may still read is not freed, even after it has been spilled.
TEST_F(PoolFull, OfWhatIteratorsHoldEndsWithThem) {
  store_.pmem.spill = true;
  ASSERT_OK(store_.Open());
  std::vector<std::unique_ptr<Iterator>> iterators;
  std::vector<uint64_t> moments;
  Status refused;
  for (int i = 0; i < 200 && refused.ok(); ++i) {
    moments.push_back(fillers_);
    iterators.emplace_back(store_.db()->NewIterator(ReadOptions()));
    for (int j = 0; j < 50 && refused.ok(); ++j) {
      refused = store_.db()->Put(WriteOptions(), Filler(fillers_), kFiller);
      fillers_ += refused.ok() ? 1 : 0;
    }
  }
  EXPECT_TRUE(refused.IsIOError()) << refused.ToString();
  EXPECT_TRUE(Says(refused, "full"));
  EXPECT_TRUE(Says(refused, "close iterators"));
  for (size_t i = 0; i < iterators.size(); ++i) {
    uint64_t count = 0;
    for (iterators[i]->Seek("filler"); iterators[i]->Valid(); iterators[i]->Next()) {
      count += iterators[i]->key().starts_with("filler") ? 1 : 0;
    }
    ASSERT_OK(iterators[i]->status());
    EXPECT_EQ(count, moments[i]);
  }
  CheckContents();

  iterators.clear();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_OK(store_.db()->Put(WriteOptions(), Filler(fillers_++), kFiller));
  }
  CheckContents();
  ASSERT_OK(store_.Check());
}

TEST_F(PoolFull, EndsWithADrain) {
  store_.Close();
  ASSERT_OK(DrainDB(store_.path(), store_.options, store_.pmem));
  EXPECT_EQ(store_.PoolNames(), "");
  ASSERT_OK(store_.OpenPlainly());
  CheckContents();
}

// An open flushes logs of more than two write buffers itself; the tree must not take the space that
// the session's own log needs. Each session takes a little more space.
TEST(PoolNearlyFull, IsOpenedHoweverLittleRoomThereIs) {
  const std::string value(60000, 'v');
  TierStore store(kTinyPool);
  store.pmem.spill = false;
  store.pmem.prefault = true;  // it has all of its space from the beginning
  const auto put = [&](const std::string& key) {
    return store.db()->Put(WriteOptions(), key, value);
  };
  const auto kill = [&] {
    store.Keep("killed");
    store.BringBack("killed");
  };
  ASSERT_OK(store.Open());
  const uint64_t extents = store.Metric("pool-bytes") / (64 << 10);
  for (uint64_t i = 0; i + 24 < extents; ++i) ASSERT_OK(put("old" + std::to_string(i)));
  store.Flush();
  store.Close();
  store.Keep("base");
  bool was_full = false;
  for (int written = 3; !was_full; ++written) {
    for (int sessions = 0; sessions < 3; ++sessions) {
      store.BringBack("base");
      store.options.write_buffer_size = 4 << 20;
      ASSERT_OK(store.Open());
      int acknowledged = 0;
      while (acknowledged < written && put(std::to_string(acknowledged)).ok()) acknowledged++;
      was_full = was_full || acknowledged < written;
      kill();
      for (int session = 0; session < sessions; ++session) {
        ASSERT_OK(store.Open());
        static_cast<void>(store.db()->Put(WriteOptions(), "small", "value"));
        kill();
      }
      store.options.write_buffer_size = 64 << 10;
      ASSERT_OK(store.Open()) << acknowledged << " writes, " << sessions << " more sessions";
      std::string found;
      for (int i = 0; i < acknowledged; ++i) {
        ASSERT_OK(store.db()->Get(ReadOptions(), std::to_string(i), &found));
      }
    }
  }
  ASSERT_OK(store.Check());
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
