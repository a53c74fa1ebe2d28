#include "pmem/bptree/read_reuse.h"

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

// More reads than are needed for a new decision, for nearly all seeds: one in 64 counts, 256 are
// enough.
constexpr int kReads = 2 * 64 * 256;

class ReadReuseTest : public testing::Test {
 protected:
  // Reads one of that many keys at random, repeatedly. Returns the decision.
  bool Read(uint64_t keys) {
    for (int i = 0; i < kReads; i++) reuse_.OnRead(HashOf(dice_.Below(keys)));
    return reuse_.IsHigh();
  }

  static uint64_t HashOf(uint64_t key) { return Dice(key).Next(); }

  Dice dice_{AnnouncedSeed()};
  ReadReuse reuse_;
};

TEST_F(ReadReuseTest, ValuesAreKeptUntilMoreIsKnown) {
  EXPECT_TRUE(reuse_.IsHigh());
  constexpr uint64_t kReadsThatCount = 256;
  for (uint64_t i = 1; i < kReadsThatCount; i++) reuse_.OnRead(i << 32);
  EXPECT_TRUE(reuse_.IsHigh());
  reuse_.OnRead(kReadsThatCount << 32);
  EXPECT_FALSE(reuse_.IsHigh());
}

TEST_F(ReadReuseTest, OfManyKeysFewAreReadAgain) {
  EXPECT_FALSE(Read(uint64_t{1} << 40));
  EXPECT_FALSE(Read(1000000));
}

TEST_F(ReadReuseTest, OfFewKeysAllAreReadAgain) {
  EXPECT_TRUE(Read(8000));
}

TEST_F(ReadReuseTest, TheAnswerFollowsTheReads) {
  for (int i = 0; i < 3; i++) {
    EXPECT_FALSE(Read(1000000)) << i;
    EXPECT_TRUE(Read(8000)) << i;
  }
}

// Three in four reads are of a few keys: those are worth caching.
TEST_F(ReadReuseTest, SomeHotKeysAmongManyColdOnesAreEnough) {
  for (int i = 0; i < kReads; i++) {
    reuse_.OnRead(HashOf(dice_.Below(dice_.OneIn(4) ? 1000000 : 2000)));
  }
  EXPECT_TRUE(reuse_.IsHigh());
}

TEST_F(ReadReuseTest, KeysThatDoNotCountChangeNothing) {
  EXPECT_FALSE(Read(1000000));
  for (int i = 0; i < kReads; i++) reuse_.OnRead(uint64_t{7} << 32 | 1);
  EXPECT_FALSE(reuse_.IsHigh());
}

TEST_F(ReadReuseTest, ThreadsReadAtOnce) {
  const uint64_t seed = dice_.Next();
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 3; thread++) {
    threads.emplace_back([this, seed, thread] {
      Dice dice(seed + thread);
      for (int i = 0; i < Scaled(kReads); i++) reuse_.OnRead(dice.Next());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(Read(8000));
  EXPECT_FALSE(Read(1000000));
}

}  // namespace
}  // namespace leveldb
