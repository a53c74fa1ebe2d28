#include "pmem/bptree/value_hints.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::Scaled;

// Returns a hash in bucket `bucket` of `buckets`, with this tag.
uint64_t HashOf(uint64_t bucket, uint64_t buckets, uint64_t tag) {
  return ((bucket << 32) / buckets + 1) << 32 | tag;
}

TEST(ValueHints, OfNoValuesNothingIsLearned) {
  for (const ValueHints& hints : {ValueHints(), ValueHints(0)}) {
    hints.Prefetch(17);
    hints.Learn(17, 64);
    EXPECT_EQ(kNoPoolOffset, hints.Find(17));
    EXPECT_EQ(0u, hints.memory_bytes());
  }
}

TEST(ValueHints, WhatIsLearnedIsFound) {
  const ValueHints hints(1);
  EXPECT_EQ(kNoPoolOffset, hints.Find(17));
  hints.Learn(17, 640);
  hints.Learn(18, 6400);
  EXPECT_EQ(640u, hints.Find(17));
  EXPECT_EQ(6400u, hints.Find(18));
  EXPECT_EQ(kNoPoolOffset, hints.Find(19));
  hints.Learn(17, 64);
  EXPECT_EQ(64u, hints.Find(17));
  EXPECT_EQ(6400u, hints.Find(18));
}

TEST(ValueHints, NoBitsMakeATagToo) {
  const ValueHints hints(1);
  EXPECT_EQ(kNoPoolOffset, hints.Find(0));
  hints.Learn(0, 64);
  EXPECT_EQ(64u, hints.Find(0));
}

TEST(ValueHints, OffsetsThatDoNotFitAreNotLearned) {
  const ValueHints hints(1);
  constexpr PoolOffset kLast = uint64_t{UINT32_MAX} * 64;
  hints.Learn(1, kLast);
  hints.Learn(2, kLast + 64);
  hints.Learn(3, 65);
  hints.Learn(4, uint64_t{1} << 63 | 64);  // of a value in several pieces
  EXPECT_EQ(kLast, hints.Find(1));
  for (uint64_t hash = 2; hash <= 4; hash++) EXPECT_EQ(kNoPoolOffset, hints.Find(hash)) << hash;
}

TEST(ValueHints, InAFullBucketTheOldestMakesWay) {
  const ValueHints hints(8);
  // The counter of slots, which goes up to 9, must not be taken for a tag.
  for (uint64_t tag = 100; tag < 123; tag++) {
    hints.Learn(tag, tag * 64);
    for (uint64_t counter = 1; counter < 10; counter++) {
      ASSERT_EQ(kNoPoolOffset, hints.Find(counter)) << "after " << tag;
    }
    for (uint64_t known = 100; known <= tag; known++) {
      ASSERT_EQ(known + 10 > tag ? known * 64 : kNoPoolOffset, hints.Find(known))
          << "after " << tag;
    }
  }
}

TEST(ValueHints, BucketsKeepThingsApart) {
  constexpr uint64_t kBuckets = 7;
  const ValueHints hints(8 * kBuckets - 3);
  EXPECT_EQ(kBuckets * 64, hints.memory_bytes());
  for (uint64_t bucket = 0; bucket < kBuckets; bucket++) {
    for (uint64_t tag = 1; tag <= 10; tag++) {
      hints.Learn(HashOf(bucket, kBuckets, tag), (bucket * 100 + tag) * 64);
    }
  }
  for (uint64_t bucket = 0; bucket < kBuckets; bucket++) {
    for (uint64_t tag = 1; tag <= 10; tag++) {
      EXPECT_EQ((bucket * 100 + tag) * 64, hints.Find(HashOf(bucket, kBuckets, tag)));
    }
  }
}

TEST(ValueHints, MostOfRandomHashesAreKnown) {
  Dice dice(AnnouncedSeed());
  const size_t n = static_cast<size_t>(Scaled(20000));
  std::vector<uint64_t> hashes(n);
  for (uint64_t& hash : hashes) hash = dice.Next();
  const ValueHints hints(n);
  for (size_t i = 0; i < n; i++) hints.Learn(hashes[i], (i + 1) * 64);
  size_t known = 0;
  for (size_t i = 0; i < n; i++) known += hints.Find(hashes[i]) == (i + 1) * 64 ? 1 : 0;
  EXPECT_GT(known, n * 9 / 10);
  size_t taken_for_known = 0;
  for (size_t i = 0; i < n; i++)
    taken_for_known += hints.Find(dice.Next()) != kNoPoolOffset ? 1 : 0;
  EXPECT_LT(taken_for_known, n / 100);
}

TEST(ValueHints, ThreadsLearnAndFind) {
  constexpr uint64_t kValues = 64;
  const ValueHints hints(kValues);
  const int rounds = Scaled(2000);
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 3; thread++) {
    threads.emplace_back([&hints, rounds, thread] {
      for (int round = 0; round < rounds; round++) {
        for (uint64_t i = 0; i < kValues; i++) {
          const uint64_t hash = i * 0x9e3779b97f4a7c15;
          hints.Learn(hash, (i + 1) * 64);
          const PoolOffset found = hints.Find(hash + thread);
          ASSERT_EQ(0u, found % 64);
          ASSERT_LE(found, kValues * 64);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace leveldb
