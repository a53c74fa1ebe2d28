#include "tools/read_only_env.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::FileNames;
using testkit::ReadFile;

class ReadOnlyEnvTest : public ::testing::Test {
 protected:
  ReadOnlyEnvTest() {
    Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    DB* db = nullptr;
    EXPECT_OK(DB::Open(options, path_, &db));
    for (int i = 0; i < 500; ++i) {
      EXPECT_OK(db->Put(WriteOptions(), "key" + std::to_string(i), std::string(1000, 'v')));
    }
    delete db;
  }

  std::map<std::string, std::string> Bytes() const {
    std::map<std::string, std::string> bytes;
    for (const std::string& name : FileNames(path_)) bytes[name] = ReadFile(path_ + "/" + name);
    return bytes;
  }

  const testkit::TempDir dir_;
  const std::string path_ = dir_ / "db";
  ReadOnlyEnv env_{Env::Default(), path_};
};

TEST_F(ReadOnlyEnvTest, ADatabaseIsOpenedAndReadAndNothingIsChanged) {
  const std::map<std::string, std::string> before = Bytes();
  Options options;
  options.env = &env_;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, path_, &opened));
  const std::unique_ptr<DB> db(opened);
  std::string value;
  EXPECT_OK(db->Get(ReadOptions(), "key499", &value));
  EXPECT_TRUE(Bytes() == before);
}

// Simulates the background jobs that run after the open.
TEST_F(ReadOnlyEnvTest, AfterTheOpenNothingIsWrittenToMemory) {
  Options options;
  options.env = &env_;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, path_, &opened));
  const std::unique_ptr<DB> db(opened);
  WritableFile* file = nullptr;
  EXPECT_TRUE(env_.NewWritableFile(path_ + "/000999.ldb", &file).IsIOError());
  EXPECT_TRUE(env_.RenameFile(path_ + "/LOCK", path_ + "/lost/LOCK").IsIOError());
  EXPECT_OK(WriteStringToFile(&env_, "outside", dir_ / "file"));
  db->CompactRange(nullptr, nullptr);
  std::string value;
  EXPECT_OK(db->Get(ReadOptions(), "key7", &value));
}

}  // namespace
}  // namespace leveldb
