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
  EXPECT_EQ((std::vector<Place>{1, 2, 3, 2}), retired.TakeAll());
  EXPECT_TRUE(retired.empty());
  EXPECT_TRUE(retired.TakeAll().empty());
}

TEST(RetiredTreesTest, NothingIsLostBetweenThreads) {
  constexpr Place kEach = 20000;
  RetiredTrees retired;
  std::atomic<int> running{2};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; i++) {
    readers.emplace_back([&] {
      for (Place place = 1; place <= kEach; place++) retired.Add({place});
      running--;
    });
  }
  Place sum = 0;
  const auto take = [&] {
    for (const Place place : retired.TakeAll()) sum += place;
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
