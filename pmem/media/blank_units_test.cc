// Uses a mapped file as a device: its pages that a test calls bad cannot be read.
#include "pmem/media/blank_units.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>
#include <vector>

#include "port/page_bytes.h"
#include "testing/temp_dir.h"
#include "util/posix_io.h"
#include "util/round.h"

namespace leveldb {

namespace {

constexpr uint64_t kBlankUnit = 64 << 10;
constexpr uint64_t kUnits = 4;
constexpr uint64_t kDeviceBytes = kUnits * kBlankUnit;

class DeviceStandIn {
 public:
  DeviceStandIn() {
    std::string letters;
    for (uint64_t at = 0; at < kDeviceBytes; at += PageBytes()) {
      letters.append(PageBytes(), Letter(at));
    }
    testkit::WriteFile(path_, letters);
    void* const space = mmap(nullptr, kDeviceBytes + kBlankUnit, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(MAP_FAILED, space);
    space_ = static_cast<char*>(space);
    const auto begin = reinterpret_cast<uintptr_t>(space);
    base_ = space_ + (RoundUp(begin, kBlankUnit) - begin);
    const Descriptor file(OpenDescriptor(path_, O_RDONLY));
    EXPECT_EQ(base_, mmap(base_, kDeviceBytes, PROT_READ, MAP_SHARED | MAP_FIXED, file.get(), 0));
  }
  ~DeviceStandIn() { munmap(space_, kDeviceBytes + kBlankUnit); }

  static char Letter(uint64_t at) { return static_cast<char>('a' + at / PageBytes() % 26); }

  char* base() const { return base_; }

  // Makes an access to these pages raise SIGBUS, as on a device.
  void LosePages(const std::vector<ByteRange>& ranges) {
    for (const ByteRange& range : ranges) {
      EXPECT_EQ(0, mprotect(base_ + range.begin, range.end - range.begin, PROT_NONE));
    }
  }

  // Expects that each page of [0, end) has zeros if it is bad, and otherwise the bytes of the file.
  void ExpectBlanked(uint64_t end, const std::vector<ByteRange>& bad) const {
    for (uint64_t at = 0; at < end; at += PageBytes()) {
      const char wanted = Overlaps(bad, at, PageBytes()) ? '\0' : Letter(at);
      ASSERT_EQ(std::string(PageBytes(), wanted), std::string(base_ + at, PageBytes())) << at;
    }
  }

  // Returns true if a unit is still mapped to the file.
  bool IsOfFile(uint64_t unit) {
    const Descriptor file(OpenDescriptor(path_, O_RDWR));
    const char before = base_[unit * kBlankUnit];
    const auto at = static_cast<off_t>(unit * kBlankUnit);
    EXPECT_EQ(1, pwrite(file.get(), "!", 1, at));
    const bool is_shared = base_[unit * kBlankUnit] == '!';
    EXPECT_EQ(1, pwrite(file.get(), &before, 1, at));
    return is_shared;
  }

 private:
  const testkit::TempDir dir_;
  const std::string path_ = dir_ / "device";
  char* space_ = nullptr;
  char* base_ = nullptr;
};

ByteRange Pages(uint64_t unit, uint64_t first, uint64_t count) {
  const uint64_t begin = unit * kBlankUnit + first * PageBytes();
  return {begin, begin + count * PageBytes()};
}

}  // namespace

TEST(BlankUnits, OnlyUnitsWithBadPagesAreCopied) {
  DeviceStandIn device;
  const std::vector<ByteRange> bad = {Pages(1, 0, 1), Pages(1, 7, 2)};
  device.LosePages(bad);
  ASSERT_TRUE(BlankInUnits(device.base(), kDeviceBytes, kBlankUnit, bad).ok());
  device.ExpectBlanked(kDeviceBytes, bad);
  EXPECT_TRUE(device.IsOfFile(0));
  EXPECT_FALSE(device.IsOfFile(1));
  EXPECT_TRUE(device.IsOfFile(2));
  EXPECT_TRUE(device.IsOfFile(3));
}

TEST(BlankUnits, ARangeMayReachAcrossUnits) {
  DeviceStandIn device;
  const std::vector<ByteRange> bad = {{kBlankUnit - PageBytes(), 2 * kBlankUnit + PageBytes()}};
  device.LosePages(bad);
  ASSERT_TRUE(BlankInUnits(device.base(), kDeviceBytes, kBlankUnit, bad).ok());
  device.ExpectBlanked(kDeviceBytes, bad);
  EXPECT_TRUE(device.IsOfFile(3));
}

TEST(BlankUnits, TheLastUnitMayBeShort) {
  DeviceStandIn device;
  const uint64_t end = kDeviceBytes - 3 * PageBytes();
  const std::vector<ByteRange> bad = {Pages(3, 2, 1)};
  device.LosePages(bad);
  ASSERT_TRUE(BlankInUnits(device.base(), end, kBlankUnit, bad).ok());
  device.ExpectBlanked(end, bad);
}

TEST(BlankUnits, WithoutBadPagesNothingIsDone) {
  DeviceStandIn device;
  ASSERT_TRUE(BlankInUnits(device.base(), kDeviceBytes, kBlankUnit, {}).ok());
  device.ExpectBlanked(kDeviceBytes, {});
  for (uint64_t unit = 0; unit < kUnits; unit++) EXPECT_TRUE(device.IsOfFile(unit));
}

TEST(BlankUnits, AnErrorNamesWhatIsMissing) {
  // The mapping is at an address that does not exist, so it cannot be replaced.
  const std::vector<ByteRange> bad = {{0, PageBytes()}};
  const Status s =
      BlankInUnits(reinterpret_cast<char*>(~uintptr_t{0} << 20), PageBytes(), PageBytes(), bad);
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
}

}  // namespace leveldb
