#include "db/mem/memtable_filter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "testing/dice.h"
#include "testing/seed.h"
#include "util/coding.h"
#include "util/hash64.h"

namespace leveldb {
namespace {

uint64_t HashOf(uint64_t number) {
  char key[8];
  StoreFixed64(key, number);
  return HashKey64(Slice(key, sizeof(key)));
}

class MemtableFilterTest : public ::testing::Test {
 protected:
  Arena arena_;
  MemtableFilter filter_{&arena_};
};

TEST_F(MemtableFilterTest, AnEmptyOneContainsNothingAndTakesNothing) {
  for (uint64_t i = 0; i < 1000; i++) EXPECT_FALSE(filter_.MayContain(HashOf(i)));
  EXPECT_EQ(arena_.MemoryUsage(), 0u);
}

TEST_F(MemtableFilterTest, KnowsEveryKeyWhileItGrows) {
  const uint64_t first = testkit::Dice(testkit::AnnouncedSeed()).Next();
  constexpr uint64_t kKeys = 200'000;
  for (uint64_t i = 0; i < kKeys; i++) {
    filter_.Add(HashOf(first + i), i);
    ASSERT_TRUE(filter_.MayContain(HashOf(first + i))) << i;
    ASSERT_TRUE(filter_.MayContain(HashOf(first + i / 2))) << i;
  }
  for (uint64_t i = 0; i < kKeys; i++) ASSERT_TRUE(filter_.MayContain(HashOf(first + i))) << i;
}

TEST_F(MemtableFilterTest, IsSeldomWrongHoweverManyKeysThereAre) {
  constexpr uint64_t kTried = 20'000;
  uint64_t added = 0;
  for (const uint64_t keys : {10, 1'024, 1'025, 9'216, 74'752, 100'000, 300'000}) {
    for (; added < keys; added++) filter_.Add(HashOf(added), added);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < kTried; i++) wrong += filter_.MayContain(HashOf(1'000'000 + i));
    EXPECT_LE(wrong, kTried / 50) << "with " << keys << " keys";
  }
  // Two to eight bytes per key.
  EXPECT_LE(arena_.MemoryUsage(), 8 * added);
}

TEST_F(MemtableFilterTest, ReadersMissNothingThatTheyKnowOf) {
  std::atomic<uint64_t> added{0};
  constexpr uint64_t kKeys = 60'000;
  std::thread reader([&] {
    for (uint64_t known = 0; known < kKeys;) {
      known = added.load(std::memory_order_acquire);
      if (known > 0) {
        ASSERT_TRUE(filter_.MayContain(HashOf(known - 1)));
        ASSERT_TRUE(filter_.MayContain(HashOf(known / 2)));
      }
    }
  });
  for (uint64_t i = 0; i < kKeys; i++) {
    filter_.Add(HashOf(i), i);
    added.store(i + 1, std::memory_order_release);
  }
  reader.join();
}

}  // namespace
}  // namespace leveldb
