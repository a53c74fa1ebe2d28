#include "pmem/media/device_info.h"

#include <gtest/gtest.h>

#include "pmem/media/namespace_info.h"
#include "testing/temp_dir.h"

namespace leveldb {

TEST(DeviceInfo, OfATmpfs) {
  const testkit::TempDir dir(testkit::Medium::kMemory);
  if (!testkit::IsInMemory(dir.path())) GTEST_SKIP() << "there is no tmpfs";
  DeviceInfo info;
  ASSERT_TRUE(DescribeDevice(dir.path(), &info).ok());
  EXPECT_EQ("tmpfs", info.file_system);
  EXPECT_TRUE(info.memory_backed);
  EXPECT_FALSE(info.dax);
  EXPECT_EQ("tmpfs, in memory", info.Text());
}

TEST(DeviceInfo, OfADisk) {
  const testkit::TempDir dir(testkit::Medium::kDisk);
  if (testkit::IsInMemory(dir.path())) GTEST_SKIP() << "there is no disk";
  testkit::WriteFile(dir / "file", "x");
  DeviceInfo info;
  ASSERT_TRUE(DescribeDevice(dir / "file", &info).ok());
  EXPECT_FALSE(info.file_system.empty());
  EXPECT_FALSE(info.memory_backed);
  EXPECT_EQ(info.file_system, info.Text().substr(0, info.file_system.size()));
}

TEST(DeviceInfo, OfNothing) {
  DeviceInfo info;
  EXPECT_TRUE(DescribeDevice("/no/such/place", &info).IsNotFound());
}

TEST(DeviceInfo, OfDevicesThatAreNoMemory) {
  DeviceInfo info;
  EXPECT_TRUE(DescribeDevice("/dev/null", &info).IsInvalidArgument());
  EXPECT_TRUE(DescribeDevice("/dev/zero", &info).IsInvalidArgument());
}

TEST(DeviceInfo, MountsWithDaxAreKnownByTheirOptions) {
  const std::string line = "36 25 259:1 / /mnt/pmem rw,noatime shared:7 - ext4 /dev/pmem0p1 rw";
  EXPECT_FALSE(MountIsDax(line, "259:1"));
  EXPECT_TRUE(MountIsDax(line + ",dax", "259:1"));
  EXPECT_TRUE(MountIsDax(line + ",attr2,dax=always,inode64", "259:1"));
  EXPECT_FALSE(MountIsDax(line + ",dax=inode", "259:1"));
  EXPECT_FALSE(MountIsDax(line + ",dax=never", "259:1"));
  EXPECT_FALSE(MountIsDax(line + ",dax", "259:2"));
  EXPECT_FALSE(MountIsDax("", "259:1"));
}

TEST(DeviceInfo, AsText) {
  DeviceInfo info;
  info.file_system = "ext4";
  info.block_device = "pmem0p1";
  info.dax = true;
  info.namespace_name = "namespace0.0";
  info.namespace_mode = "fsdax";
  info.health = "ok";
  EXPECT_EQ("ext4 on pmem0p1, DAX, namespace namespace0.0 (fsdax), health ok", info.Text());
  info.bad_blocks = 8;
  info.health = "fatal";
  info.region_is_read_only = true;
  EXPECT_EQ(
      "ext4 on pmem0p1, DAX, namespace namespace0.0 (fsdax), read-only, health fatal, 8 bad blocks",
      info.Text());
}

// The libraries, if present, report nothing about a device that does not exist.
TEST(NamespaceInfo, OfWhatIsNotThere) {
  DeviceInfo info;
  NamespaceCatalog catalog;
  catalog.AskAboutBlockDevice("pmem977", &info);
  catalog.AskAboutDaxDevice("dax977.0", &info);
  EXPECT_TRUE(info.namespace_name.empty());
  EXPECT_TRUE(info.health.empty());
  EXPECT_EQ(0u, info.bad_blocks);
}

}  // namespace leveldb
