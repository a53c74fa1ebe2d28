#include "table/file_read_ahead.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "table/device_source.h"
#include "util/scan_window.h"

namespace leveldb {
namespace {

constexpr uint64_t kFile = uint64_t{4} << 20;
constexpr uint64_t kBlock = 4096;

class FileReadAheadTest : public testing::Test {
 protected:
  void Forward(FileReadAhead* ahead, uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end; at += kBlock) {
      ahead->StepForward(at, kBlock);
      ASSERT_TRUE(device_.IsInMemory(at, kBlock)) << at;
    }
  }

  DeviceSource device_{std::string(kFile, 'x')};
};

TEST(ScanWindow, DoublesUpToTheMost) {
  ScanWindow window;
  uint64_t expected = ScanWindow::kLeast;
  for (; expected < ScanWindow::kMost; expected *= 2) EXPECT_EQ(window.Take(), expected);
  EXPECT_EQ(window.Take(), ScanWindow::kMost);
  EXPECT_EQ(window.Take(), ScanWindow::kMost);
  window.Restart();
  EXPECT_EQ(window.Take(), ScanWindow::kLeast);
  window.StartAtMost();
  EXPECT_EQ(window.Take(), ScanWindow::kMost);
}

// 16 + 32 + 64 + 128 + 256 + 512 KiB, and three times 1 MiB of which the last is the rest.
TEST_F(FileReadAheadTest, ReadsEachByteOnceForward) {
  FileReadAhead ahead(&device_, nullptr, false);
  Forward(&ahead, 0, kFile);
  EXPECT_EQ(device_.device_bytes, kFile);
  EXPECT_EQ(device_.device_reads, 6 + 4);
  EXPECT_TRUE(device_.left.empty());
}

TEST_F(FileReadAheadTest, ReadsEachByteOnceBackward) {
  FileReadAhead ahead(&device_, nullptr, false);
  for (uint64_t at = kFile; at > 0; at -= kBlock) {
    ahead.StepBackward(at - kBlock, kBlock);
    ASSERT_TRUE(device_.IsInMemory(at - kBlock, kBlock)) << at;
  }
  EXPECT_EQ(device_.device_bytes, kFile);
  EXPECT_EQ(device_.device_reads, 6 + 4);
}

TEST_F(FileReadAheadTest, PrefetchesWhenHalfIsLeft) {
  FileReadAhead ahead(&device_, nullptr, false);
  ahead.StepForward(0, kBlock);
  ahead.StepForward(kBlock, kBlock);
  EXPECT_EQ(device_.device_reads, 1);
  ahead.StepForward(2 * kBlock, kBlock);
  EXPECT_EQ(device_.device_reads, 2);
  EXPECT_EQ(device_.device_bytes, 3 * ScanWindow::kLeast);
}

TEST_F(FileReadAheadTest, AWindowGoesOnInTheNextTable) {
  ScanWindow window;
  {
    FileReadAhead ahead(&device_, &window, false);
    Forward(&ahead, 0, kFile);
  }
  DeviceSource next(std::string(kFile, 'y'));
  FileReadAhead ahead(&next, &window, false);
  ahead.StepForward(0, kBlock);
  EXPECT_EQ(next.device_bytes, ScanWindow::kMost);
}

TEST_F(FileReadAheadTest, AJumpBeginsWithLittle) {
  FileReadAhead ahead(&device_, nullptr, false);
  Forward(&ahead, 0, kFile / 2);
  ahead.Jump();
  const uint64_t before = device_.device_bytes;
  ahead.StepForward(kFile / 4 * 3, kBlock);
  EXPECT_EQ(device_.device_bytes - before, ScanWindow::kLeast);
}

TEST_F(FileReadAheadTest, ABlockLongerThanTheWindowIsReadAtOnce) {
  FileReadAhead ahead(&device_, nullptr, false);
  ahead.StepForward(0, kFile / 2);
  EXPECT_EQ(device_.device_bytes, kFile / 2);
  EXPECT_EQ(device_.device_reads, 1);
  FileReadAhead back(&device_, nullptr, false);
  back.StepBackward(kFile / 2, kFile / 2);
  EXPECT_EQ(device_.device_bytes, kFile);
  EXPECT_EQ(device_.device_reads, 2);
}

TEST_F(FileReadAheadTest, AReplacingScanLeavesWhatItHasBroughtIn) {
  device_.ComeToMemory(ScanWindow::kMost, ScanWindow::kMost);
  {
    FileReadAhead ahead(&device_, nullptr, true);
    Forward(&ahead, 0, kFile);
    EXPECT_FALSE(device_.left.empty()) << "it leaves them on the way";
  }
  const std::vector<std::pair<uint64_t, uint64_t>> expected = {
      {0, ScanWindow::kMost},
      {2 * ScanWindow::kMost, 3 * ScanWindow::kMost},
      {3 * ScanWindow::kMost, 4 * ScanWindow::kMost}};
  EXPECT_EQ(device_.left, expected);
}

// Each turn starts again: what was read ahead before may have left the memory.
TEST_F(FileReadAheadTest, PrefetchesAgainAfterATurn) {
  FileReadAhead ahead(&device_, nullptr, false);
  Forward(&ahead, 0, kFile / 2);
  device_.LeaveMemory();
  ahead.StepBackward(kFile / 2 - kBlock, kBlock);
  EXPECT_TRUE(device_.IsInMemory(kFile / 2 - kBlock, kBlock));
  device_.LeaveMemory();
  Forward(&ahead, kFile / 2, kFile);
}

TEST_F(FileReadAheadTest, DoesNothingWithoutNeed) {
  device_.exceeds = false;
  FileReadAhead ahead(&device_, nullptr, true);
  EXPECT_FALSE(ahead.IsOn());
  ahead.Jump();
  EXPECT_TRUE(device_.left.empty());

  FileReadAhead without(nullptr, nullptr, true);
  EXPECT_FALSE(without.IsOn());
  without.Jump();
}

}  // namespace
}  // namespace leveldb
