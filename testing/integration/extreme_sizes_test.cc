// The smallest and the largest keys, values and batches.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class ExtremeSizes : public ::testing::TestWithParam<CompressionType> {
 protected:
  ExtremeSizes() { Open(); }

  void Open() {
    Options options;
    options.create_if_missing = true;
    options.compression = GetParam();
    options.write_buffer_size = 1 << 20;
    db_.reset();
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options, dir_ / "db", &db));
    db_.reset(db);
  }

  // Expects the entries now, after a reopen, after a compaction and after another reopen.
  void ExpectForever(const Contents& expected) {
    Contents contents;
    for (int stage = 0; stage < 4; ++stage) {
      ASSERT_OK(ReadContents(db_.get(), &contents));
      ASSERT_TRUE(contents == expected) << "stage " << stage;
      if (stage == 1) {
        db_->CompactRange(nullptr, nullptr);
      } else {
        Open();
      }
    }
  }

  const TempDir dir_;
  std::unique_ptr<DB> db_;
};

TEST_P(ExtremeSizes, EmptyKeysAndValues) {
  ASSERT_OK(db_->Put(WriteOptions(), "", ""));
  ASSERT_OK(db_->Put(WriteOptions(), Slice("\0", 1), ""));
  ASSERT_OK(db_->Put(WriteOptions(), Slice("\0\0", 2), "two zeros"));
  ASSERT_OK(db_->Put(WriteOptions(), "\xff", ""));
  ExpectForever(
      {{"", ""}, {std::string(1, '\0'), ""}, {std::string(2, '\0'), "two zeros"}, {"\xff", ""}});
  ASSERT_OK(db_->Delete(WriteOptions(), ""));
  ExpectForever({{std::string(1, '\0'), ""}, {std::string(2, '\0'), "two zeros"}, {"\xff", ""}});
}

TEST_P(ExtremeSizes, AnEmptyDatabase) {
  ExpectForever({});
  WriteBatch nothing;
  ASSERT_OK(db_->Write(WriteOptions(), &nothing));
  ASSERT_OK(db_->Delete(WriteOptions(), "never there"));
  ExpectForever({});
}

TEST_P(ExtremeSizes, ValuesFarLargerThanEveryBuffer) {
  Dice dice(AnnouncedSeed());
  Contents expected;
  for (int i = 0; i < 4; ++i) {
    const std::string key = "large" + std::to_string(i);
    const size_t size = dice.Between(3 << 20, 9 << 20);
    expected.emplace_back(key, i % 2 == 0 ? dice.Bytes(size) : std::string(size, 'v'));
    ASSERT_OK(db_->Put(WriteOptions(), key, expected.back().second));
  }
  ExpectForever(expected);
}

TEST_P(ExtremeSizes, KeysLargerThanABlock) {
  Dice dice(AnnouncedSeed());
  Contents expected;
  const std::string stem = dice.Bytes(70000);
  for (int i = 0; i < 20; ++i) {
    expected.emplace_back(stem + static_cast<char>('a' + i), std::string(i * 100, 'v'));
    ASSERT_OK(db_->Put(WriteOptions(), expected.back().first, expected.back().second));
  }
  ExpectForever(expected);
}

TEST_P(ExtremeSizes, ABatchOfManyEntries) {
  WriteBatch batch;
  Contents expected;
  char key[16];
  for (int i = 0; i < 100000; ++i) {
    std::snprintf(key, sizeof(key), "%08d", i);
    batch.Put(key, "v");
    if (i % 2 == 1) {
      batch.Delete(key);
    } else {
      expected.emplace_back(key, "v");
    }
  }
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  ExpectForever(expected);
}

TEST_P(ExtremeSizes, ManyVersionsOfOneKey) {
  for (int i = 0; i < 20000; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), "the key", std::string(200, 'v') + std::to_string(i)));
  }
  ExpectForever({{"the key", std::string(200, 'v') + "19999"}});
}

// Only the length is read, so that much memory is not needed.
TEST_P(ExtremeSizes, FourGibibytesAreRefusedAndHarmNothing) {
  ASSERT_OK(db_->Put(WriteOptions(), "a", "1"));
  const Slice four_gib("x", size_t{1} << 32);
  EXPECT_TRUE(db_->Put(WriteOptions(), "b", four_gib).IsInvalidArgument());
  EXPECT_TRUE(db_->Put(WriteOptions(), four_gib, "2").IsInvalidArgument());
  EXPECT_TRUE(db_->Delete(WriteOptions(), four_gib).IsInvalidArgument());
  WriteBatch batch;
  batch.Put("b", "2");
  batch.Put("c", four_gib);
  const Status status = db_->Write(WriteOptions(), &batch);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("4 GiB")) << status.ToString();
  batch.Clear();
  batch.Put("d", "4");
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  ExpectForever({{"a", "1"}, {"d", "4"}});
}

INSTANTIATE_TEST_SUITE_P(With, ExtremeSizes, ::testing::Values(kNoCompression, kSnappyCompression),
                         [](const auto& type) {
                           return type.param == kNoCompression ? "NoCompression" : "Snappy";
                         });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
