// GetApproximateSizes returns how much of the files a range occupies.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kEntries = 2000;
constexpr uint64_t kValueSize = 1000;

std::string Key(int number) {
  char key[16];
  std::snprintf(key, sizeof(key), "key%06d", number);
  return key;
}

class ApproximateSizes : public ::testing::Test {
 protected:
  ApproximateSizes() {
    Options options;
    options.create_if_missing = true;
    options.compression = kNoCompression;
    DB* db = nullptr;
    EXPECT_OK(DB::Open(options, dir_ / "db", &db));
    db_.reset(db);
  }

  void Fill() {
    Dice dice(1);
    for (int i = 0; i < kEntries; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), Key(i), dice.Bytes(kValueSize)));
    }
  }

  uint64_t Size(const std::string& start, const std::string& limit) {
    const Range range(start, limit);
    uint64_t size = 0;
    db_->GetApproximateSizes(&range, 1, &size);
    return size;
  }

  const TempDir dir_;
  std::unique_ptr<DB> db_;
};

TEST_F(ApproximateSizes, OfAnEmptyDatabaseAreZero) {
  EXPECT_EQ(Size("", "zzz"), 0u);
  db_->GetApproximateSizes(nullptr, 0, nullptr);
}

TEST_F(ApproximateSizes, GrowWithTheRange) {
  Fill();
  db_->CompactRange(nullptr, nullptr);
  uint64_t before = 0;
  for (int i = 0; i <= kEntries; i += 100) {
    const uint64_t size = Size("", Key(i));
    const uint64_t entries = static_cast<uint64_t>(i) * (kValueSize + 20);
    EXPECT_GE(size, before);
    EXPECT_GE(size + 10000, static_cast<uint64_t>(i) * kValueSize);
    EXPECT_LE(size, entries + entries / 10 + 10000);
    before = size;
  }
}

TEST_F(ApproximateSizes, OfSeveralRangesAtOnce) {
  Fill();
  db_->CompactRange(nullptr, nullptr);
  const std::string keys[3] = {Key(0), Key(500), Key(1500)};
  const Range ranges[3] = {Range(keys[0], keys[1]), Range(keys[1], keys[2]),
                           Range(keys[2], keys[0])};
  uint64_t sizes[3];
  db_->GetApproximateSizes(ranges, 3, sizes);
  EXPECT_NEAR(static_cast<double>(sizes[0]), 500e3, 30e3);
  EXPECT_NEAR(static_cast<double>(sizes[1]), 1000e3, 60e3);
  EXPECT_EQ(sizes[2], 0u) << "a range that ends before it begins";
}

TEST_F(ApproximateSizes, ShrinkWhenACompactionDropsWhatWasDeleted) {
  Fill();
  db_->CompactRange(nullptr, nullptr);
  const uint64_t full = Size("", "zzz");
  for (int i = 0; i < kEntries; ++i) {
    ASSERT_OK(db_->Delete(WriteOptions(), Key(i)));
  }
  db_->CompactRange(nullptr, nullptr);
  EXPECT_LT(Size("", "zzz"), full / 10);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
