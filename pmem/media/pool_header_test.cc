// Tests turning off the features that make libpmemobj refuse pools whose data are intact, on
// headers that libpmemobj has written.
#include "pmem/media/pool_header.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "testing/pool_bench.h"
#include "testing/temp_dir.h"
#include "util/coding.h"

namespace leveldb {

namespace {

constexpr size_t kCompatibleAt = 12;
constexpr size_t kIncompatibleAt = 16;
constexpr size_t kSumAt = 4088;
constexpr uint32_t kRefusesBadBlocks = 1;
constexpr uint32_t kHasShutdownState = 4;

class PoolHeaderTest : public testing::Test {
 protected:
  // Creates a pool with libpmemobj's default settings, as all pools of BushStore once had.
  void SetUp() override {
    void* const library = dlopen("libpmemobj.so.1", RTLD_NOW);
    ASSERT_NE(nullptr, library) << dlerror();
    using Create = void* (*)(const char*, const char*, size_t, mode_t);
    using Close = void (*)(void*);
    using Set = int (*)(void*, const char*, void*);
    int on = 1;
    reinterpret_cast<Set>(dlsym(library, "pmemobj_ctl_set"))(nullptr, "sds.at_create", &on);
    void* const pool = reinterpret_cast<Create>(dlsym(library, "pmemobj_create"))(
        (dir_ / "pool").c_str(), "bushstore", 8 << 20, 0600);
    ASSERT_NE(nullptr, pool);
    reinterpret_cast<Close>(dlsym(library, "pmemobj_close"))(pool);
    header_ = testkit::ReadFile(dir_ / "pool").substr(0, PoolHeader::kBytes);
    fresh_ = PoolHeader::WithoutRefusals(header_);
  }

  const testkit::TempDir dir_{testkit::Medium::kDisk};
  std::string header_;
  std::string fresh_;
};

TEST_F(PoolHeaderTest, BothFeaturesAreTurnedOff) {
  ASSERT_EQ(PoolHeader::kBytes, fresh_.size());
  EXPECT_EQ(kHasShutdownState, LoadFixed32(header_.data() + kIncompatibleAt) & kHasShutdownState);
  EXPECT_EQ(LoadFixed32(header_.data() + kIncompatibleAt) & ~kHasShutdownState,
            LoadFixed32(fresh_.data() + kIncompatibleAt));
  EXPECT_EQ(LoadFixed32(header_.data() + kCompatibleAt) & ~kRefusesBadBlocks,
            LoadFixed32(fresh_.data() + kCompatibleAt));
  // Only the features and the sum have changed.
  std::string expected = header_;
  expected.replace(kCompatibleAt, 8, fresh_, kCompatibleAt, 8);
  expected.replace(kSumAt, 8, fresh_, kSumAt, 8);
  EXPECT_EQ(expected, fresh_);
  EXPECT_EQ("", PoolHeader::WithoutRefusals(fresh_));
}

// Each of the words may or may not have reached the medium.
TEST_F(PoolHeaderTest, ATornChangeIsRepaired) {
  for (int mixture = 0; mixture < 8; mixture++) {
    std::string torn = header_;
    if ((mixture & 1) != 0) torn.replace(kCompatibleAt, 4, fresh_, kCompatibleAt, 4);
    if ((mixture & 2) != 0) torn.replace(kIncompatibleAt, 4, fresh_, kIncompatibleAt, 4);
    if ((mixture & 4) != 0) torn.replace(kSumAt, 8, fresh_, kSumAt, 8);
    EXPECT_EQ(torn == fresh_ ? "" : fresh_, PoolHeader::WithoutRefusals(torn)) << mixture;
  }
}

TEST_F(PoolHeaderTest, DamageStays) {
  for (const size_t at : {size_t{0}, size_t{20}, size_t{100}, kSumAt}) {
    std::string damaged = header_;
    damaged[at] ^= 1;
    EXPECT_EQ("", PoolHeader::WithoutRefusals(damaged)) << at;
  }
  EXPECT_EQ("", PoolHeader::WithoutRefusals(header_.substr(0, 100)));
  EXPECT_EQ("", PoolHeader::WithoutRefusals(std::string(PoolHeader::kBytes, '\0')));
}

TEST_F(PoolHeaderTest, LibpmemobjTakesTheHeader) {
  const RawFile file(dir_ / "pool", 8 << 20, 0);
  ASSERT_TRUE(PoolHeader(&file).TurnOffRefusals().ok());
  EXPECT_EQ(fresh_, testkit::ReadFile(dir_ / "pool").substr(0, PoolHeader::kBytes));
  void* const library = dlopen("libpmemobj.so.1", RTLD_NOW);
  using Open = void* (*)(const char*, const char*);
  using Close = void (*)(void*);
  void* const pool =
      reinterpret_cast<Open>(dlsym(library, "pmemobj_open"))((dir_ / "pool").c_str(), "bushstore");
  ASSERT_NE(nullptr, pool);
  reinterpret_cast<Close>(dlsym(library, "pmemobj_close"))(pool);
}

}  // namespace
}  // namespace leveldb
