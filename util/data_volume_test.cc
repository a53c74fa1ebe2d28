#include "util/data_volume.h"

#include <gtest/gtest.h>

#include <memory>

namespace leveldb {
namespace {

TEST(DataVolume, ExceedsHalfOfTheMemory) {
  DataVolume volume([] { return uint64_t{1000}; });
  EXPECT_FALSE(volume.ExceedsMemory());
  DataVolume::Share one(&volume);
  one.Set(500);
  EXPECT_FALSE(volume.ExceedsMemory());
  one.Set(501);
  EXPECT_TRUE(volume.ExceedsMemory());
  one.Set(499);
  EXPECT_FALSE(volume.ExceedsMemory());
}

TEST(DataVolume, AddsUpDatabases) {
  DataVolume volume([] { return uint64_t{1000}; });
  DataVolume::Share one(&volume);
  one.Set(300);
  {
    DataVolume::Share other(&volume);
    other.Set(300);
    EXPECT_TRUE(volume.ExceedsMemory());
  }
  EXPECT_FALSE(volume.ExceedsMemory()) << "a database that was closed does not count";
}

TEST(DataVolume, NoLimitIsNeverExceeded) {
  DataVolume volume([] { return UINT64_MAX; });
  DataVolume::Share one(&volume);
  one.Set(uint64_t{1} << 62);
  EXPECT_FALSE(volume.ExceedsMemory());
}

}  // namespace
}  // namespace leveldb
