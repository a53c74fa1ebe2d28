// Pools of every kind and size: one that grows in a directory up to its ceiling and further when
// that is raised, and one of a fixed size in a file.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kMiB = 1 << 20;

class PoolSizes : public ::testing::TestWithParam<Medium> {
 protected:
  PoolSizes() : store_(kSmallPool, GetParam()) {}

  PmemPoolInfo Pool() {
    std::vector<PmemPoolInfo> pools;
    EXPECT_OK(DescribePools(store_.pools(), &pools));
    EXPECT_EQ(pools.size(), 1u);
    return pools.empty() ? PmemPoolInfo() : pools[0];
  }

  void Write(uint64_t first, uint64_t last) {
    for (uint64_t number = first; number < last; ++number) {
      ASSERT_OK(store_.db()->Put(WriteOptions(), std::to_string(number), std::string(kValue, 'v')));
    }
  }

  void Check(uint64_t last) {
    std::string value;
    for (uint64_t number = 0; number < last; ++number) {
      ASSERT_OK(store_.db()->Get(ReadOptions(), std::to_string(number), &value)) << number;
      ASSERT_EQ(value.size(), kValue);
    }
  }

  static constexpr size_t kValue = 100000;
  TierStore store_;
};

TEST_P(PoolSizes, BeginSmallAndGrowToTheCeilingAndBeyondIfItIsRaised) {
  store_.options.write_buffer_size = 4 << 20;
  store_.pmem.size = 160 * kMiB;
  store_.pmem.spill = false;
  ASSERT_OK(store_.Open());
  EXPECT_LE(Pool().size, 80 * kMiB);
  Write(0, 1000);  // 100 MB
  EXPECT_GT(Pool().size, 90 * kMiB);
  EXPECT_LE(Pool().size, 160 * kMiB);
  ASSERT_OK(store_.Open());
  Check(1000);
  store_.pmem.size = 320 * kMiB;
  ASSERT_OK(store_.Open());
  EXPECT_EQ(Pool().ceiling, 320 * kMiB);
  Write(1000, 2000);
  EXPECT_GT(Pool().size, 180 * kMiB);
  Check(2000);
  ASSERT_OK(store_.Check());
  // A program that gives no size finds it as large as before.
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_EQ(Pool().ceiling, 320 * kMiB);
  Check(2000);
}

TEST_P(PoolSizes, OfFilesAreFixed) {
  store_.pmem.path = store_.pools() + "/pool";
  store_.pmem.size = 24 * kMiB;
  ASSERT_OK(store_.Open());
  EXPECT_EQ(std::filesystem::file_size(store_.pmem.path), 24 * kMiB);
  Write(0, 600);
  Check(600);
  EXPECT_EQ(std::filesystem::file_size(store_.pmem.path), 24 * kMiB);
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.OpenPlainly());
  Check(600);
}

INSTANTIATE_TEST_SUITE_P(In, PoolSizes, ::testing::Values(Medium::kMemory, Medium::kDisk),
                         [](const auto& medium) {
                           return medium.param == Medium::kDisk ? "ADiskDirectory" : "Memory";
                         });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
