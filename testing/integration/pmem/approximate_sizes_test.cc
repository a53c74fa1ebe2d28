// GetApproximateSizes counts what is in the tier: keys and values of memtables and trees, including
// large values, in the order of the keys, and so that ranges add up.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kEntries = 3000;

std::string Key(int number) {
  char key[16];
  std::snprintf(key, sizeof(key), "key%06d", number);
  return key;
}

class TierApproximateSizes : public ::testing::TestWithParam<uint64_t> {
 protected:
  void Fill() {
    store_.options.write_buffer_size = 16 << 20;  // one memtable
    ASSERT_OK(store_.Open());
    Dice dice(AnnouncedSeed());
    std::vector<int> order(kEntries);
    for (int i = 0; i < kEntries; ++i) order[static_cast<size_t>(i)] = i;
    if (dice.OneIn(2)) {
      for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[dice.Below(i)]);
    }
    for (const int number : order) {
      ASSERT_OK(store_.db()->Put(WriteOptions(), Key(number), dice.Bytes(GetParam())));
    }
  }

  uint64_t Size(const std::string& start, const std::string& limit) {
    const Range range(start, limit);
    uint64_t size = 0;
    store_.db()->GetApproximateSizes(&range, 1, &size);
    return size;
  }

  void ExpectSizes() {
    const double entry = static_cast<double>(GetParam()) + 9;
    const double all = kEntries * entry;
    EXPECT_NEAR(static_cast<double>(Size("", "zzz")), all, all / 10);
    uint64_t before = 0;
    for (int i = 0; i <= kEntries; i += 100) {
      const uint64_t size = Size("", Key(i));
      EXPECT_GE(size, before);
      EXPECT_NEAR(static_cast<double>(size), i * entry, all / 4);
      before = size;
      const int middle = i / 3;
      const uint64_t sum = Size("", Key(middle)) + Size(Key(middle), Key(i));
      EXPECT_EQ(sum, size);
    }
    EXPECT_EQ(Size("zzz", ""), 0u);
    EXPECT_EQ(Size("nothing", "nothing more"), 0u);
  }

  TierStore store_{kSmallPool};
};

TEST_P(TierApproximateSizes, OfMemtables) {
  Fill();
  ExpectSizes();
  // The replayed log is in a memtable, as before the flush.
  ASSERT_OK(store_.Open());
  ExpectSizes();
}

TEST_P(TierApproximateSizes, OfTrees) {
  Fill();
  store_.Flush();
  ExpectSizes();
  store_.db()->CompactRange(nullptr, nullptr);
  ExpectSizes();
}

TEST_P(TierApproximateSizes, OfAnEmptyTierAreZero) {
  ASSERT_OK(store_.Open());
  EXPECT_EQ(Size("", "zzz"), 0u);
}

INSTANTIATE_TEST_SUITE_P(ValueBytes, TierApproximateSizes,
                         ::testing::Values(uint64_t{20}, uint64_t{2000}));

}  // namespace
}  // namespace testkit
}  // namespace leveldb
