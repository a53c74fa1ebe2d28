#include "db/open/pool_place.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "db/open/pmem_file.h"
#include "pmem/media/pool_description.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Says;

class PoolPlaceTest : public ::testing::Test {
 protected:
  void MakeDirectory(const std::string& path) { ASSERT_OK(Env::Default()->CreateDir(path)); }

  void WritePmem(const std::string& directory, const std::string& pool, const PoolId& id) {
    PmemFile file;
    file.pool = pool;
    file.id = id.Text();
    file.state = PmemFile::kUsed;
    ASSERT_OK(WritePmemFile(Env::Default(), directory, file));
  }

  // Creates a pool in the directory for `owner`. Returns its path.
  std::string MakePool(const std::string& owner, const PoolId& id) {
    PoolOptions options;
    options.path = dir_.path();
    options.size = Pool::kBytesMin;
    std::unique_ptr<Pool> pool;
    EXPECT_OK(Pool::Create(options, owner, id, &pool));
    return pool == nullptr ? "" : pool->path();
  }

  const testkit::TempDir dir_;
  const PoolId id_ = PoolId::Random();
};

TEST_F(PoolPlaceTest, PathsMeanTheSameToEverybody) {
  const std::string real = CanonicalPath(dir_.path());
  MakeDirectory(dir_ / "a");
  ASSERT_EQ(0, symlink((dir_ / "a").c_str(), (dir_ / "link").c_str()));
  EXPECT_EQ(real + "/a", CanonicalPath(dir_ / "link/"));
  EXPECT_EQ(real + "/a/new", CanonicalPath(dir_ / "link/../a/./new"));
  EXPECT_TRUE(IsSameDirectory(dir_ / "a", dir_ / "link"));
  EXPECT_FALSE(IsSameDirectory(dir_ / "a", dir_.path()));
  EXPECT_FALSE(IsSameDirectory(dir_ / "b", dir_ / "b"));
}

TEST_F(PoolPlaceTest, ADirectoryGetsAPoolOfItsOwnForEachDatabase) {
  const std::string real = CanonicalPath(dir_.path());
  std::string path;
  ASSERT_OK(ChoosePoolPath(dir_.path(), true, "/x/db", id_, &path));
  EXPECT_EQ(DirectoryPoolPath(real, "/x/db", id_), path);
  ASSERT_OK(ChoosePoolPath(dir_ / "pool", false, "/x/db", id_, &path));
  EXPECT_EQ(real + "/pool", path);
  EXPECT_TRUE(Says(ChoosePoolPath(dir_ / "pool", true, "/x/db", id_, &path), "is no directory"));
  EXPECT_TRUE(Says(ChoosePoolPath(dir_ / "pool/", false, "/x/db", id_, &path), "is no directory"));
  EXPECT_TRUE(ChoosePoolPath(dir_ / "a\nb", false, "/x/db", id_, &path).IsInvalidArgument());
}

TEST_F(PoolPlaceTest, ADirectoryNamesAPoolThroughItsPmemFile) {
  EXPECT_FALSE(DirectoryNamesPool(dir_.path(), id_.Text()));
  WritePmem(dir_.path(), "/p", id_);
  EXPECT_TRUE(DirectoryNamesPool(dir_.path(), id_.Text()));
  EXPECT_FALSE(DirectoryNamesPool(dir_.path(), PoolId::Random().Text()));
  testkit::WriteFile(dir_ / "PMEM", "unreadable");
  EXPECT_TRUE(DirectoryNamesPool(dir_.path(), PoolId::Random().Text()));
}

TEST_F(PoolPlaceTest, AMovedDatabaseIsFound) {
  const std::string pool = MakePool(dir_ / "db", id_);
  EXPECT_EQ("/made/for", CurrentOwner(pool, "/made/for"));
  ASSERT_OK(NoteOwner(pool, "/moved/to"));
  EXPECT_EQ("/moved/to", CurrentOwner(pool, "/made/for"));
  testkit::WriteFile(pool + ".moved", "torn");
  EXPECT_EQ("/made/for", CurrentOwner(pool, "/made/for"));
  ASSERT_OK(RemovePool(pool));
  ASSERT_OK(RemovePool(pool));
  EXPECT_TRUE(testkit::FileNames(dir_.path()).empty());
}

TEST_F(PoolPlaceTest, APoolIsOfAnotherIfThatOneNamesItToo) {
  Env* const env = Env::Default();
  const std::string pool = MakePool(dir_ / "original", id_);
  MakeDirectory(dir_ / "original");
  MakeDirectory(dir_ / "copy");
  std::string other;
  EXPECT_FALSE(PoolIsOfAnother(env, dir_ / "copy", pool, id_, &other));
  WritePmem(dir_ / "original", pool, id_);
  EXPECT_TRUE(PoolIsOfAnother(env, dir_ / "copy", pool, id_, &other));
  EXPECT_EQ(dir_ / "original", other);
  EXPECT_FALSE(PoolIsOfAnother(env, dir_ / "original", pool, id_, &other));
  EXPECT_FALSE(PoolIsOfAnother(env, dir_ / "copy", pool, PoolId::Random(), &other));
  EXPECT_FALSE(PoolIsOfAnother(env, dir_ / "copy", dir_ / "none", id_, &other));
}

TEST_F(PoolPlaceTest, SetAsideIsARename) {
  const std::string pool = MakePool(dir_ / "db", id_);
  EXPECT_FALSE(IsSetAside(pool));
  ASSERT_OK(SetPoolAside(pool));
  ASSERT_OK(SetPoolAside(pool));
  const std::string aside = pool.substr(0, pool.size() - 4) + ".aside.set";
  EXPECT_TRUE(IsSetAside(aside));
  std::unique_ptr<Pool> opened;
  PoolOptions options;
  options.path = pool;
  EXPECT_TRUE(Pool::Open(options, nullptr, &opened).IsNotFound());
  options.path = aside;
  ASSERT_OK(Pool::Open(options, &id_, &opened));
  opened.reset();

  testkit::WriteFile(dir_ / "file", "x");
  ASSERT_OK(SetPoolAside(dir_ / "file"));
  EXPECT_EQ("x", testkit::ReadFile(dir_ / "file.aside"));
  EXPECT_TRUE(IsSetAside(dir_ / "file.aside"));
  EXPECT_FALSE(IsSetAside(".aside"));
}

// A pool that cannot be renamed stays, and operations that do not need the renaming do not fail.
TEST_F(PoolPlaceTest, OnAReadOnlyFileSystemAPoolStaysWhereItIs) {
  const std::string pool = MakePool(dir_ / "db", id_);
  EXPECT_FALSE(IsOnReadOnlyFileSystem(pool));
  enum { kRight, kWrong, kMayNotMount };
  const pid_t child = fork();
  if (child == 0) {
    // Uses a mount namespace of its own.
    const bool may =
        (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        mount(dir_.path().c_str(), dir_.path().c_str(), nullptr, MS_BIND, nullptr) == 0 &&
        mount(nullptr, dir_.path().c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) ==
            0;
    if (!may) _exit(kMayNotMount);
    const bool is_right =
        IsOnReadOnlyFileSystem(pool) && SetPoolAside(pool).ok() && access(pool.c_str(), F_OK) == 0;
    _exit(is_right ? kRight : kWrong);
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kMayNotMount) GTEST_SKIP() << "this user may not mount";
  EXPECT_EQ(kRight, WEXITSTATUS(status));
}

TEST_F(PoolPlaceTest, AnInterruptedSettingAsideIsFinished) {
  const std::string pool = MakePool(dir_ / "db", id_);
  const std::string stem = pool.substr(0, pool.size() - 4);
  ASSERT_OK(Env::Default()->RenameFile(pool, stem + ".aside.set"));
  ASSERT_OK(SetPoolAside(pool));
  PoolDescription found;
  ASSERT_OK(DescribePool(stem + ".aside.set", &found));
  EXPECT_TRUE(found.id == id_);
}

}  // namespace
}  // namespace leveldb
