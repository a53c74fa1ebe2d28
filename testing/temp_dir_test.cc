#include "testing/temp_dir.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace leveldb {
namespace testkit {
namespace {

namespace fs = std::filesystem;

uint64_t BytesOnMedium(const std::string& path) {
  struct stat status;
  EXPECT_EQ(0, ::stat(path.c_str(), &status)) << path;
  return static_cast<uint64_t>(status.st_blocks) * 512;
}

TEST(CopyDir, CopiesEveryByteAndFolder) {
  const TempDir place;
  fs::create_directories(place / "from/a/b");
  WriteFile(place / "from/empty", "");
  WriteFile(place / "from/a/long", std::string(1'000'000, 'x') + "end");
  WriteFile(place / "from/a/b/zeros", std::string(300'000, '\0'));
  fs::create_symlink(place / "from/a/long", place / "from/a/link");
  fs::create_symlink(place / "from/a/b", place / "from/a/folder");
  CopyDir(place / "from", place / "to");
  EXPECT_TRUE(SameFiles(place / "from", place / "to"));
  EXPECT_TRUE(SameFiles(place / "to", place / "from"));
  EXPECT_EQ((std::vector<std::string>{"empty"}), FileNames(place / "to"));
  EXPECT_EQ((std::vector<std::string>{"zeros"}), FileNames(place / "to/a/b"));
  EXPECT_FALSE(fs::is_symlink(place / "to/a/link")) << "it is a copy of what it leads to";
  EXPECT_EQ(ReadFile(place / "from/a/long"), ReadFile(place / "to/a/link"));
  EXPECT_FALSE(fs::is_symlink(place / "to/a/folder"));
  EXPECT_EQ((std::vector<std::string>{"zeros"}), FileNames(place / "to/a/folder"));
}

TEST(CopyDir, LeavesHoles) {
  constexpr uint64_t kLength = uint64_t{64} << 20;
  const TempDir place;
  fs::create_directory(place / "from");
  WriteFile(place / "from/pool", "begin");
  fs::resize_file(place / "from/pool", kLength);
  {
    std::fstream pool(place / "from/pool", std::ios::in | std::ios::out | std::ios::binary);
    pool.seekp(kLength / 2);
    pool << "middle";
    ASSERT_TRUE(pool.flush());
  }
  WriteFile(place / "from/hole", "");
  fs::resize_file(place / "from/hole", kLength);
  CopyDir(place / "from", place / "to");
  EXPECT_TRUE(SameFiles(place / "from", place / "to"));
  EXPECT_LE(BytesOnMedium(place / "to/pool"), BytesOnMedium(place / "from/pool"));
  EXPECT_LE(BytesOnMedium(place / "to/hole"), BytesOnMedium(place / "from/hole"));
}

TEST(CopyDir, CanBeWrittenToWhereTheOriginalCannot) {
  const TempDir place;
  fs::create_directory(place / "from");
  WriteFile(place / "from/file", "bytes");
  fs::permissions(place / "from/file", fs::perms::owner_read | fs::perms::group_read);
  CopyDir(place / "from", place / "to");
  EXPECT_EQ(fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read,
            fs::status(place / "to/file").permissions());
}

TEST(CopyDir, TellsWhatCannotBeCopied) {
  const TempDir place;
  fs::create_directory(place / "from");
  fs::create_symlink("nowhere", place / "from/link");
  EXPECT_FALSE(TryCopyDir(place / "from", place / "to"));
  EXPECT_FALSE(TryCopyDir(place / "missing", place / "other"));
  fs::create_directory(place / "empty");
  EXPECT_FALSE(TryCopyDir(place / "empty", place / "no/such/place"));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
