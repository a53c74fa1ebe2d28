#include "pmem/bptree/retired_trees.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace leveldb {
namespace {

TEST(RetiredTreesTest, GivesOutOnceWhatWasAdded) {
  RetiredTrees retired;
  EXPECT_TRUE(retired.empty());
  EXPECT_TRUE(retired.TakeAll().empty());
  retired.Add({});
  EXPECT_TRUE(retired.empty());
  retired.Add({1, 2});
  retired.Add({3, 2});
  EXPECT_FALSE(retired.empty());
  EXPECT_EQ((std::vector<PoolOffset>{1, 2, 3, 2}), retired.TakeAll());
  EXPECT_TRUE(retired.empty());
  EXPECT_TRUE(retired.TakeAll().empty());
}

TEST(RetiredTreesTest, NothingIsLostBetweenThreads) {
  constexpr PoolOffset kEach = 20000;
  RetiredTrees retired;
  std::atomic<int> running{2};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; i++) {
    readers.emplace_back([&] {
      for (PoolOffset pool_offset = 1; pool_offset <= kEach; pool_offset++)
        retired.Add({pool_offset});
      running--;
    });
  }
  PoolOffset sum = 0;
  const auto take = [&] {
    for (const PoolOffset pool_offset : retired.TakeAll()) sum += pool_offset;
  };
  while (running > 0) {
    if (!retired.empty()) take();
  }
  for (std::thread& reader : readers) reader.join();
  take();
  EXPECT_EQ(kEach * (kEach + 1), sum);
}

}  // namespace
}  // namespace leveldb
