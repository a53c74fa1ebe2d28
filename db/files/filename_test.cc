#include "db/files/filename.h"

#include <memory>

#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

constexpr uint64_t kLargest = UINT64_MAX;

std::string WithoutDirectory(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

TEST(FileNameTest, NamesAreThoseOfLevelDb) {
  EXPECT_EQ("d/000007.log", LogFileName("d", 7));
  EXPECT_EQ("d/000007.ldb", TableFileName("d", 7));
  EXPECT_EQ("d/000007.sst", LegacyTableFileName("d", 7));
  EXPECT_EQ("d/000007.dbtmp", TempFileName("d", 7));
  EXPECT_EQ("d/MANIFEST-000007", ManifestFileName("d", 7));
  EXPECT_EQ("d/CURRENT", CurrentFileName("d"));
  EXPECT_EQ("d/LOCK", LockFileName("d"));
  EXPECT_EQ("d/LOG", InfoLogFileName("d"));
  EXPECT_EQ("d/LOG.old", OldInfoLogFileName("d"));
  EXPECT_EQ("d/1234567.log", LogFileName("d", 1234567));
}

TEST(FileNameTest, ParsesWhatItMakes) {
  const struct {
    std::string path;
    FileType type;
  } kCases[] = {
      {LogFileName("d", kLargest), kLogFile},           {TableFileName("d", kLargest), kTableFile},
      {LegacyTableFileName("d", kLargest), kTableFile}, {TempFileName("d", kLargest), kTempFile},
      {ManifestFileName("d", kLargest), kManifestFile},
  };
  for (const auto& c : kCases) {
    uint64_t number = 0;
    FileType type = kCurrentFile;
    ASSERT_TRUE(ParseFileName(WithoutDirectory(c.path), &number, &type)) << c.path;
    EXPECT_EQ(kLargest, number) << c.path;
    EXPECT_EQ(c.type, type) << c.path;
  }
}

TEST(FileNameTest, ParsesAnyNumberOfDigits) {
  uint64_t number = 0;
  FileType type = kCurrentFile;
  ASSERT_TRUE(ParseFileName("0.log", &number, &type));
  EXPECT_EQ(0u, number);
  ASSERT_TRUE(ParseFileName("MANIFEST-2", &number, &type));
  EXPECT_EQ(2u, number);
  ASSERT_TRUE(ParseFileName("0000000000000000000000012.ldb", &number, &type));
  EXPECT_EQ(12u, number);
}

TEST(FileNameTest, PlainNamesCarryNoNumber) {
  const struct {
    const char* name;
    FileType type;
  } kCases[] = {{"CURRENT", kCurrentFile},
                {"LOCK", kLockFile},
                {"LOG", kInfoLogFile},
                {"LOG.old", kInfoLogFile}};
  for (const auto& c : kCases) {
    uint64_t number = 99;
    FileType type = kTempFile;
    ASSERT_TRUE(ParseFileName(c.name, &number, &type)) << c.name;
    EXPECT_EQ(0u, number) << c.name;
    EXPECT_EQ(c.type, type) << c.name;
  }
}

TEST(FileNameTest, LeavesForeignNamesAlone) {
  const char* const kForeign[] = {
      "",          "7",           "7.",         "7.lo",
      "7.logs",    ".log",        "x7.log",     "7x.log",
      "-7.log",    " 7.log",      "CURRENTLY",  "CURREN",
      "MANIFEST",  "MANIFEST-",   "MANIFEST-x", "MANIFEST-7x",
      "LOG.older", "manifest-7",  "lost",       "18446744073709551616.log",
      "PMEM",      "MANIFEST--7", "7.LOG",      "184467440737095516150.ldb"};
  for (const char* name : kForeign) {
    uint64_t number = 99;
    FileType type = kTempFile;
    EXPECT_FALSE(ParseFileName(name, &number, &type)) << name;
    EXPECT_EQ(99u, number) << name;
    EXPECT_EQ(kTempFile, type) << name;
  }
}

class SetCurrentFileTest : public testing::Test {
 protected:
  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
};

TEST_F(SetCurrentFileTest, WritesTheNameAndANewline) {
  ASSERT_TRUE(env_->CreateDir("/d").ok());
  ASSERT_TRUE(SetCurrentFile(env_.get(), "/d", 7).ok());
  std::string contents;
  ASSERT_TRUE(ReadFileToString(env_.get(), "/d/CURRENT", &contents).ok());
  EXPECT_EQ("MANIFEST-000007\n", contents);
  ASSERT_TRUE(SetCurrentFile(env_.get(), "/d", 8).ok());
  ASSERT_TRUE(ReadFileToString(env_.get(), "/d/CURRENT", &contents).ok());
  EXPECT_EQ("MANIFEST-000008\n", contents);
  EXPECT_FALSE(env_->FileExists("/d/000007.dbtmp"));
  EXPECT_FALSE(env_->FileExists("/d/000008.dbtmp"));
}

// Refuses to rename.
class NoRenameEnv : public EnvWrapper {
 public:
  explicit NoRenameEnv(Env* base) : EnvWrapper(base) {}
  Status RenameFile(const std::string& src, const std::string& target) override {
    return Status::IOError(target, "no");
  }
};

TEST_F(SetCurrentFileTest, AFailureLeavesNoTemporaryFile) {
  ASSERT_TRUE(env_->CreateDir("/d").ok());
  ASSERT_TRUE(SetCurrentFile(env_.get(), "/d", 7).ok());
  NoRenameEnv failing(env_.get());
  EXPECT_TRUE(SetCurrentFile(&failing, "/d", 8).IsIOError());
  EXPECT_FALSE(env_->FileExists("/d/000008.dbtmp"));
  std::string contents;
  ASSERT_TRUE(ReadFileToString(env_.get(), "/d/CURRENT", &contents).ok());
  EXPECT_EQ("MANIFEST-000007\n", contents);
}

}  // namespace
}  // namespace leveldb
