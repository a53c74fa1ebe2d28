// The properties of the tier, and the standard properties over memtables, trees and tables at once.

#include <gtest/gtest.h>

#include <string>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

TEST(Properties, TellOfTheTier) {
  TierStore store(kTinyPool);
  Dice dice(AnnouncedSeed());
  ASSERT_OK(store.Open());
  std::string text;
  ASSERT_TRUE(store.db()->GetProperty("leveldb.pmem", &text));
  EXPECT_NE(text.find("trees-at-level0"), std::string::npos) << text;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_OK(store.db()->Put(WriteOptions(), std::to_string(i), dice.Bytes(1000)));
  }
  store.Flush();
  ASSERT_TRUE(store.db()->GetProperty("leveldb.pmem", &text));
  EXPECT_GT(text.size(), 200u) << text;
  for (const std::string name : {"pool-bytes",
                                 "pool-ceiling",
                                 "pool-used-bytes",
                                 "pool-use",
                                 "trees-at-level0",
                                 "trees-at-level1",
                                 "leaf-bytes",
                                 "dram-bytes",
                                 "hint-bytes",
                                 "value-extents",
                                 "value-live-bytes",
                                 "garbage-share",
                                 "logs",
                                 "log-bytes",
                                 "stalls",
                                 "stall-micros",
                                 "full-waits",
                                 "delays",
                                 "user-bytes",
                                 "value-bytes",
                                 "flush-bytes",
                                 "merge-bytes",
                                 "gc-bytes",
                                 "spill-bytes",
                                 "ssd-bytes",
                                 "pm-bytes-per-user-byte",
                                 "ssd-bytes-per-user-byte",
                                 "flushes",
                                 "merges",
                                 "gc-jobs",
                                 "spills",
                                 "fences",
                                 "flushed-lines",
                                 "flush-moves",
                                 "lost",
                                 "background-error"}) {
    EXPECT_NE(("\n" + text).find("\n" + name + " "), std::string::npos) << name;
    std::string figure;
    EXPECT_TRUE(store.db()->GetProperty("leveldb.pmem." + name, &figure)) << name;
    EXPECT_FALSE(figure.empty()) << name;
  }
  EXPECT_GE(store.Metric("logs"), 1u);
  EXPECT_EQ(store.Metric("lost"), 0u);
  std::string error;
  ASSERT_TRUE(store.db()->GetProperty("leveldb.pmem.background-error", &error));
  EXPECT_EQ(error, "OK");
  EXPECT_FALSE(store.db()->GetProperty("leveldb.pmem.no-such-figure", &text));
  EXPECT_FALSE(store.db()->GetProperty("leveldb.pmemory", &text));
  // The standard properties exist.
  for (const char* const name :
       {"leveldb.stats", "leveldb.sstables", "leveldb.approximate-memory-usage",
        "leveldb.num-files-at-level0"}) {
    EXPECT_TRUE(store.db()->GetProperty(name, &text)) << name;
  }
  ASSERT_OK(store.pmem_db()->Drain());
  EXPECT_FALSE(store.db()->GetProperty("leveldb.pmem", &text));
}

TEST(Properties, SizesAreOfMemtablesNeverOfTreesAndTablesAlways) {
  // 4 MB of keys in order, at first in trees, then in tables.
  TierStore store;
  ASSERT_OK(store.Open());
  constexpr int kKeys = 4000;
  const auto key = [](int number) { return "key" + std::to_string(10000 + number); };
  Dice dice(AnnouncedSeed());
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_OK(store.db()->Put(WriteOptions(), key(i), dice.Bytes(1000)));
  }
  for (int place = 0; place < 3; ++place) {
    place == 0   ? store.Flush()
    : place == 1 ? store.db()->CompactRange(nullptr, nullptr)
                 : static_cast<void>(store.pmem_db()->Drain());
    for (const int part : {1, 2, 4, 8}) {
      const std::string begin = key(kKeys / part / 4);
      const std::string end = key(kKeys / part / 4 + kKeys / 2 / part);
      const Range range(begin, end);
      uint64_t size = 0;
      store.db()->GetApproximateSizes(&range, 1, &size);
      const uint64_t expected = uint64_t{kKeys} / 2 / part * 1010;
      EXPECT_GT(size, expected * 7 / 10 - 70000) << place << " part " << part;
      EXPECT_LT(size, expected * 13 / 10 + 140000) << place << " part " << part;
    }
  }
}

TEST(CompactRange, EndsAndChangesNothingThatCanBeRead) {
  TierStore store(kTinyPool);
  History history(AnnouncedSeed(), 3000);
  ASSERT_OK(store.Open());
  for (int round = 0; round < 20; ++round) {
    ASSERT_OK(store.Write(&history, 100));
    const std::string begin = "key" + std::to_string(round * 5);
    const std::string end = "key" + std::to_string(round * 7 + 1);
    const Slice begin_slice(begin);
    const Slice end_slice(end);
    store.db()->CompactRange(round % 3 == 0 ? nullptr : &begin_slice,
                             round % 4 == 0 ? nullptr : &end_slice);
    ASSERT_OK(store.CheckAt(history));
  }
  // The second call has nothing to do.
  store.db()->CompactRange(nullptr, nullptr);
  store.db()->CompactRange(nullptr, nullptr);
  ASSERT_OK(store.CheckAt(history));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
