// Runs that many reads have to search are merged in the end, without a write that would trigger a
// merge. Where a merge takes long it is done before there are reads.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "testing/history.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

class ReadTriggeredCompactions : public ::testing::Test {
 protected:
  void SetUp() override {
    store_.pmem.dynamic_tree = false;
    store_.options.write_buffer_size = 4 << 20;  // only Flush() makes trees
    ASSERT_OK(store_.Open());
    for (int tree = 0; tree < 3; tree++) {  // one fewer than a merge needs
      ASSERT_OK(store_.Write(&history_, 100));
      store_.Flush();
    }
    ASSERT_EQ(3u, store_.Metric("trees-at-level0"));
  }

  // Reads until they are merged; if they never are, the test's time limit ends this.
  void ReadUntilTheyAreMerged(const std::function<void()>& read) {
    while (store_.Metric("trees-at-level0") > 0) read();
    EXPECT_GE(store_.Metric("merges"), 1u);
    EXPECT_OK(store_.CheckAt(history_));
  }

  TierStore store_;
  History history_{7, 500};
};

TEST_F(ReadTriggeredCompactions, ByGets) {
  std::string value;
  uint64_t number = 0;
  ReadUntilTheyAreMerged([&] {
    for (int i = 0; i < 1000; i++) {
      const Status status =
          store_.db()->Get(ReadOptions(), "missing" + std::to_string(number++), &value);
      ASSERT_TRUE(status.IsNotFound()) << status.ToString();
    }
  });
}

TEST_F(ReadTriggeredCompactions, BySeeks) {
  const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
  ReadUntilTheyAreMerged([&] {
    for (int i = 0; i < 100; i++) iterator->Seek("k");
  });
  EXPECT_OK(iterator->status());
}

TEST_F(ReadTriggeredCompactions, BySteps) {
  ReadUntilTheyAreMerged([&] {
    const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    }
    EXPECT_OK(iterator->status());
  });
}

// A memtable costs reads something, too.
TEST_F(ReadTriggeredCompactions, OfTheMemtableWhenNobodyWrites) {
  while (store_.Metric("flushes") == 3) ASSERT_OK(store_.Write(&history_, 100));
  ASSERT_OK(store_.Write(&history_, 400));
  const uint64_t flushes = store_.Metric("flushes");
  const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
  while (store_.Metric("flushes") == flushes) iterator->Seek("k");
  ReadUntilTheyAreMerged([&] { iterator->Seek("k"); });
}

TEST(IdleReadTriggeredCompactions, OfTreesAndMemtableWhenNobodyWrites) {
  TierStore store;
  store.pmem.dynamic_tree = false;
  store.options.write_buffer_size = 8 << 20;
  ASSERT_OK(store.Open());
  constexpr int kEntries = 130'000;
  constexpr int kNewest = kEntries / 5;
  const auto key = [](int i) { return "key" + std::to_string(i); };
  const auto put = [&](int entries, const std::string& value) {
    for (int i = 0; i < entries; i++) ASSERT_OK(store.db()->Put(WriteOptions(), key(i), value));
  };
  const std::string newest(200, 'n');  // more than half of a full memtable
  for (uint64_t flushes = 0; store.Metric("flushes") == flushes;) {
    // Repeats if this thread was so slow that the trees were merged without the memtable.
    for (const char* value : {"first", "second"}) {
      put(kEntries, value);
      store.Flush();
    }
    flushes = store.Metric("flushes");
    put(kNewest, newest);
    while (store.Metric("trees-at-level0") > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::string value;
  for (const int i : {0, kNewest - 1, kNewest, kEntries - 1}) {
    ASSERT_OK(store.db()->Get(ReadOptions(), key(i), &value));
    EXPECT_EQ(i < kNewest ? newest : "second", value);
  }
}

// A drain works while such a compaction runs.
TEST_F(ReadTriggeredCompactions, ADrainComesBetween) {
  std::thread reader([&] {
    std::string value;
    for (int i = 0; i < 20000; i++) {
      static_cast<void>(store_.db()->Get(ReadOptions(), "missing" + std::to_string(i), &value));
    }
  });
  EXPECT_OK(store_.pmem_db()->Drain());
  reader.join();
  EXPECT_OK(store_.CheckAt(history_));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
