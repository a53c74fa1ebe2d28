// Tests which operations a power cut must not lose.

#include "testing/stress/promise.h"

#include <gtest/gtest.h>

#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kBytes = 1000;

class PromiseTest : public ::testing::Test {
 protected:
  PromiseTest() : expected_(dir_ / "expected", 1, 10), promise_(&expected_) {}

  void Do(int operations, bool ok = true) {
    for (int i = 0; i < operations; ++i) {
      expected_.Begin(0, {KeyChange{0, 20}}, kBytes);
      expected_.End(0, ok);
    }
  }

  const TempDir dir_{Medium::kMemory};
  ExpectedState expected_;
  Promise promise_;
};

TEST_F(PromiseTest, WithoutFencesOnlyWhatWasSynced) {
  promise_.Opened(/*has_tier=*/false, /*fences=*/false, 0);
  Do(3);
  EXPECT_EQ(promise_.Safe()[0], 0u);
  promise_.Synced(expected_.Returned());
  Do(3);
  EXPECT_EQ(promise_.Safe()[0], 3u);
}

TEST_F(PromiseTest, AllButTheNewestBytes) {
  promise_.Opened(/*has_tier=*/true, /*fences=*/true, 4 * kBytes);
  Do(10);
  EXPECT_EQ(promise_.Safe()[0], 6u);
  promise_.Closed();
  EXPECT_EQ(promise_.Safe()[0], 10u);
}

TEST_F(PromiseTest, WritesThatFailPushNothingOut) {
  promise_.Opened(/*has_tier=*/true, /*fences=*/true, 4 * kBytes);
  Do(10);
  Do(20, /*ok=*/false);
  EXPECT_EQ(promise_.Safe()[0], 6u);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
