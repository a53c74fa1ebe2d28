#include "pmem/media/raw_file.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/temp_dir.h"

namespace leveldb {

TEST(RawFile, WhatIsWrittenIsRead) {
  const testkit::TempDir dir;
  testkit::WriteFile(dir / "file", std::string(10000, 'a'));
  const RawFile file(dir / "file", 10000, 0);
  ASSERT_TRUE(file.Write(4000, "written", 7).ok());
  char bytes[9];
  size_t filled;
  ASSERT_TRUE(file.Read(3999, sizeof(bytes), bytes, &filled).ok());
  EXPECT_EQ("awrittena", std::string(bytes, filled));
}

TEST(RawFile, AFileThatIsShorterThanItWas) {
  const testkit::TempDir dir;
  testkit::WriteFile(dir / "file", "short");
  const RawFile file(dir / "file", 10000, 0);
  char bytes[100];
  size_t filled;
  ASSERT_TRUE(file.Read(2, sizeof(bytes), bytes, &filled).ok());
  EXPECT_EQ("ort", std::string(bytes, filled));
}

TEST(RawFile, AFileThatIsGone) {
  const testkit::TempDir dir;
  const RawFile file(dir / "file", 10000, 0);
  char byte;
  size_t filled;
  EXPECT_TRUE(file.Read(0, 1, &byte, &filled).IsNotFound());
  EXPECT_TRUE(file.Write(0, "x", 1).IsNotFound());
}

// A device can only be mapped, in units that are larger than a page. An ordinary file replaces it
// here.
TEST(RawFile, ADeviceIsMappedInWholeUnits) {
  constexpr uint64_t kUnit = 2 << 20;
  const testkit::TempDir dir;
  testkit::WriteFile(dir / "device", std::string(2 * kUnit, 'a'));
  const RawFile device(dir / "device", 2 * kUnit, kUnit);
  ASSERT_TRUE(device.Write(kUnit - 3, "across", 6).ok());
  char bytes[8];
  size_t filled;
  ASSERT_TRUE(device.Read(kUnit - 4, sizeof(bytes), bytes, &filled).ok());
  EXPECT_EQ("aacrossa", std::string(bytes, filled));
  ASSERT_TRUE(device.Read(2 * kUnit - 1, 1, bytes, &filled).ok());
  EXPECT_EQ('a', bytes[0]);
}

}  // namespace leveldb
