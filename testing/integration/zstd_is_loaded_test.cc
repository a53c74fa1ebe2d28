// The shared library loads libzstd when a block needs it, and not before. Without libzstd,
// everything but such blocks can be read, and nothing is lost.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/contents.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"

namespace leveldb {
namespace testkit {
namespace {

class ZstdIsLoaded : public ::testing::Test {
 protected:
  ZstdIsLoaded() {
    // The loader finds this file first, which is not a library.
    WriteFile(dir_ / "libzstd.so.1", "nothing");
    without_zstd_[0].second = dir_.path() + ":" + without_zstd_[0].second;
  }

  // Makes a database with a table.
  void Make(CompressionType compression) {
    Options options;
    options.create_if_missing = true;
    options.compression = compression;
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(options, dir_ / "db", &opened));
    const std::unique_ptr<DB> db(opened);
    for (int i = 0; i < 100; ++i) {
      const std::string key = "key" + std::to_string(i);
      contents_.emplace_back(key, std::string(1000, static_cast<char>('a' + i % 26)));
    }
    std::sort(contents_.begin(), contents_.end());
    for (const auto& [key, value] : contents_) {
      ASSERT_OK(db->Put(WriteOptions(), key, value));
    }
    db->CompactRange(nullptr, nullptr);
  }

  Finished Dump(const Environment& environment) {
    return RunToEnd(DriverCommand({dir_ / "db", "dump", dir_ / "dump"}), environment);
  }

  const TempDir dir_;
  const Environment with_zstd_ = DriverEnvironment(Library::kOurs);
  Environment without_zstd_ = with_zstd_;
  Contents contents_;
};

TEST_F(ZstdIsLoaded, WhenABlockWantsIt) {
  Make(kZstdCompression);
  const Finished dumped = Dump(with_zstd_);
  ASSERT_EQ(dumped.code, 0) << dumped.output;
  EXPECT_EQ(ReadFile(dir_ / "dump"), DumpText(contents_));
}

TEST_F(ZstdIsLoaded, AndNotBefore) {
  Make(kSnappyCompression);
  const Finished dumped = Dump(without_zstd_);
  ASSERT_EQ(dumped.code, 0) << dumped.output;
  EXPECT_EQ(ReadFile(dir_ / "dump"), DumpText(contents_));
}

TEST_F(ZstdIsLoaded, OrTheErrorSaysWhatIsMissing) {
  Make(kZstdCompression);
  const Finished dumped = Dump(without_zstd_);
  EXPECT_EQ(dumped.code, 1) << dumped.output;
  EXPECT_NE(dumped.output.find("libzstd1"), std::string::npos) << dumped.output;
  // A repair would take the blocks for damaged.
  const Finished repaired = RunToEnd(DriverCommand({dir_ / "db", "repair"}), without_zstd_);
  EXPECT_EQ(repaired.code, 1) << repaired.output;
  EXPECT_NE(repaired.output.find("libzstd1"), std::string::npos) << repaired.output;
  const Finished again =
      RunToEnd(DriverCommand({dir_ / "db", "repair", "dump", dir_ / "dump"}), with_zstd_);
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_EQ(ReadFile(dir_ / "dump"), DumpText(contents_));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
