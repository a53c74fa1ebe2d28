#include "db/open/lost_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

// Records new files and renames, each by its directory: the first sync of a new file makes the
// names in its directory durable.
class NamesEnv final : public EnvWrapper {
 public:
  explicit NamesEnv(Env* base) : EnvWrapper(base) {}

  Status NewWritableFile(const std::string& name, WritableFile** result) override {
    if (has_no_room) return Status::IOError(name, "No space left on device");
    calls.push_back("new " + name.substr(0, name.rfind('/')));
    return target()->NewWritableFile(name, result);
  }
  Status RenameFile(const std::string& from, const std::string& to) override {
    calls.push_back("rename " + to);
    return target()->RenameFile(from, to);
  }

  bool has_no_room = false;
  std::vector<std::string> calls;
};

class LostFilesTest : public ::testing::Test {
 protected:
  void Write(const std::string& path, const std::string& bytes) {
    ASSERT_TRUE(WriteStringToFile(memory_.get(), bytes, path).ok());
  }

  std::vector<std::string> Children(const std::string& directory) {
    std::vector<std::string> names;
    EXPECT_TRUE(memory_->GetChildren(directory, &names).ok());
    std::sort(names.begin(), names.end());
    return names;
  }

  const std::unique_ptr<Env> memory_{NewMemEnv(Env::Default())};
  NamesEnv env_{memory_.get()};
  uint64_t number_ = 10;
  LostFiles lost_{&env_, "/db", [this] { return number_++; }};
  std::string target_;
};

TEST_F(LostFilesTest, TheDirectoryIsDurableBeforeAFileIsMovedThere) {
  Write("/db/000005.log", "log");
  ASSERT_TRUE(lost_.Keep("000005.log", &target_).ok());
  EXPECT_EQ("/db/lost/000005.log", target_);
  EXPECT_EQ((std::vector<std::string>{"new /db", "rename /db/lost/000005.log"}), env_.calls);
  EXPECT_FALSE(memory_->FileExists("/db/000005.log"));
  EXPECT_EQ(std::vector<std::string>{"000005.log"}, Children("/db/lost"));
}

TEST_F(LostFilesTest, WhatIsThereAlreadyIsKeptOnce) {
  Write("/db/lost/000077.log", "log");
  Write("/db/000005.log", "log");
  ASSERT_TRUE(lost_.Keep("000005.log", &target_).ok());
  EXPECT_EQ("/db/lost/000077.log", target_);
  EXPECT_EQ((std::vector<std::string>{"new /db", "new /db/lost"}), env_.calls);
  EXPECT_TRUE(memory_->FileExists("/db/000005.log"));
  EXPECT_EQ(std::vector<std::string>{"000077.log"}, Children("/db/lost"));
}

TEST_F(LostFilesTest, NothingIsOverwritten) {
  Write("/db/lost/000005.log", "another");
  Write("/db/000005.log", "log");
  ASSERT_TRUE(lost_.Keep("000005.log", &target_).ok());
  EXPECT_EQ(2u, Children("/db/lost").size());
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(memory_.get(), target_, &bytes).ok());
  EXPECT_EQ("log", bytes);
}

TEST_F(LostFilesTest, WithoutRoomTheFileStays) {
  Write("/db/000005.log", "log");
  env_.has_no_room = true;
  EXPECT_TRUE(lost_.Keep("000005.log", &target_).IsIOError());
  EXPECT_TRUE(memory_->FileExists("/db/000005.log"));
}

}  // namespace
}  // namespace leveldb
