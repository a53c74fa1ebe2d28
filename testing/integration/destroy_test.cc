// DestroyDB removes a database and nothing else.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

void MakeDatabase(const std::string& path) {
  Options options;
  options.create_if_missing = true;
  for (int session = 0; session < 2; ++session) {
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(options, path, &opened));
    const std::unique_ptr<DB> db(opened);
    for (int i = 0; i < 100; ++i) {
      ASSERT_OK(db->Put(WriteOptions(), std::to_string(i), std::string(1000, 'v')));
    }
    db->CompactRange(nullptr, nullptr);
    ASSERT_OK(db->Put(WriteOptions(), "in the log", "value"));
  }
}

TEST(Destroy, RemovesTheDirectory) {
  const TempDir dir;
  MakeDatabase(dir / "db");
  ASSERT_OK(DestroyDB(dir / "db", Options()));
  EXPECT_FALSE(std::filesystem::exists(dir / "db"));
  EXPECT_TRUE(std::filesystem::exists(dir.path()));
}

TEST(Destroy, OfNothingIsFine) {
  const TempDir dir;
  EXPECT_OK(DestroyDB(dir / "never made", Options()));
  EXPECT_OK(DestroyDB(dir / "no/such/parent", Options()));
}

TEST(Destroy, LeavesForeignFilesAlone) {
  const TempDir dir;
  MakeDatabase(dir / "db");
  const std::vector<std::string> foreign = {"notes.txt", "123.blob",         "x.ldb",
                                            "000007",    "MANIFEST-nothing", "CURRENT.old"};
  for (const std::string& name : foreign) {
    WriteFile(dir / ("db/" + name), "mine");
  }
  std::filesystem::create_directory(dir / "db/inner");
  WriteFile(dir / "db/inner/000001.log", "mine");
  ASSERT_OK(DestroyDB(dir / "db", Options()));
  std::vector<std::string> left = foreign;
  std::sort(left.begin(), left.end());
  EXPECT_EQ(FileNames(dir / "db"), left);
  EXPECT_EQ(ReadFile(dir / "db/inner/000001.log"), "mine");
}

TEST(Destroy, OfAnOpenDatabaseIsRefused) {
  const TempDir dir;
  MakeDatabase(dir / "db");
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(Options(), dir / "db", &opened));
  std::unique_ptr<DB> db(opened);
  EXPECT_TRUE(Says(DestroyDB(dir / "db", Options()), "/LOCK: "));
  std::string value;
  EXPECT_OK(db->Get(ReadOptions(), "7", &value));
  EXPECT_EQ(value, std::string(1000, 'v'));
  db.reset();
  EXPECT_OK(DestroyDB(dir / "db", Options()));
}

TEST(Destroy, MakesRoomForANewDatabase) {
  const TempDir dir;
  MakeDatabase(dir / "db");
  ASSERT_OK(DestroyDB(dir / "db", Options()));
  Options options;
  options.create_if_missing = true;
  options.error_if_exists = true;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, dir / "db", &opened));
  const std::unique_ptr<DB> db(opened);
  std::string value;
  EXPECT_TRUE(db->Get(ReadOptions(), "7", &value).IsNotFound());
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
