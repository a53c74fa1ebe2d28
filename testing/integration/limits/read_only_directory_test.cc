// Directories and files that are not writable: the error of an open names them, nothing is changed,
// and a database that was open meanwhile loses nothing.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "testing/either_store.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"

namespace leveldb {
namespace testkit {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

// Changes the effective user during the object's life, because root may write everywhere.
class NotRoot {
 public:
  NotRoot() : was_(geteuid()) {
    if (was_ == 0) {
      EXPECT_EQ(0, seteuid(kNobody));
    }
  }
  ~NotRoot() {
    if (was_ == 0) {
      EXPECT_EQ(0, seteuid(was_));
    }
  }

 private:
  const uid_t was_;
};

class ReadOnlyDirectory : public EitherStore {
 protected:
  ReadOnlyDirectory() : history_(AnnouncedSeed(), 1000) {
    // The temporary directory belongs to root if root runs the test.
    EXPECT_EQ(0, chmod(store_.dir().path().c_str(), 0777));
    EXPECT_EQ(0, chmod(store_.pools().c_str(), 0777));
  }
  void SetUp() override {
    const NotRoot not_root;
    if (faccessat(AT_FDCWD, store_.pools().c_str(), W_OK, AT_EACCESS) != 0) {
      GTEST_SKIP() << "only root can reach " << store_.pools();
    }
  }
  ~ReadOnlyDirectory() override {
    store_.Close();
    SetMode(store_.path(), 0700);
    SetMode(store_.pools(), 0700);
  }

  // Sets the mode of the path, if it exists. REQUIRES: the effective user may change it.
  static void SetMode(const std::string& path, mode_t mode) {
    if (fs::exists(path)) {
      EXPECT_EQ(0, chmod(path.c_str(), mode)) << path;
    }
  }

  History history_;
};

TEST_P(ReadOnlyDirectory, IsNoPlaceForADatabase) {
  SetMode(store_.dir().path(), 0555);
  {
    const NotRoot not_root;
    const Status status = Open();
    EXPECT_TRUE(status.IsIOError()) << status.ToString();
    EXPECT_TRUE(Says(status, "Permission denied"));
  }
  SetMode(store_.dir().path(), 0777);
  EXPECT_FALSE(fs::exists(store_.path()));
  EXPECT_EQ("", store_.PoolNames());
}

TEST_P(ReadOnlyDirectory, WithADatabaseIsLeftAsItIs) {
  {
    const NotRoot not_root;
    ASSERT_OK(Open());
    ASSERT_OK(store_.Write(&history_, 30));
    store_.Close();
  }
  store_.Keep("before");
  SetMode(store_.path(), 0555);
  SetMode(store_.path() + "/LOCK", 0444);
  {
    const NotRoot not_root;
    const Status status = Open();
    EXPECT_TRUE(status.IsIOError()) << status.ToString();
    EXPECT_TRUE(Says(status, "Permission denied"));
  }
  SetMode(store_.path(), 0755);
  SetMode(store_.path() + "/LOCK", 0644);
  EXPECT_TRUE(SameFiles(store_.dir() / "before/db", store_.path()));
  EXPECT_TRUE(SameFiles(store_.dir() / "before/pools", store_.pools()));
  const NotRoot not_root;
  ASSERT_OK(Open());
  EXPECT_OK(store_.CheckAt(history_));
  store_.Close();
}

TEST_P(ReadOnlyDirectory, MeanwhileLosesNothing) {
  const NotRoot not_root;
  store_.options.write_buffer_size = 64 << 10;
  store_.pmem.spill = false;
  ASSERT_OK(Open());
  ASSERT_OK(store_.Write(&history_, 30));
  SetMode(store_.path(), 0555);
  Status status;
  // A plain database needs a new log soon; one with a pool continues until that is full.
  for (int i = 0; i < 2000 && status.ok(); ++i) status = store_.Write(&history_, 1);
  if (!status.ok()) history_.CutTo(history_.size() - 1);
  EXPECT_TRUE(HasTier() || status.IsIOError()) << status.ToString();
  EXPECT_OK(store_.CheckAt(history_));
  SetMode(store_.path(), 0755);
  ASSERT_OK(Open());
  EXPECT_OK(store_.CheckAt(history_));
  store_.Close();
}

INSTANTIATE_TEST_SUITE_P(Of, ReadOnlyDirectory, ::testing::Bool(), EitherName);

class ReadOnlyPool : public ReadOnlyDirectory {};

TEST_P(ReadOnlyPool, IsAnErrorThatNamesIt) {
  {
    const NotRoot not_root;
    ASSERT_OK(Open());
    ASSERT_OK(store_.Write(&history_, 30));
    store_.Close();
  }
  for (const std::string& file : store_.PoolFiles()) SetMode(file, 0400);
  const NotRoot not_root;
  const Status status = Open();
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(Says(status, "Permission denied"));
  EXPECT_TRUE(Says(status, store_.pools()));
  for (const std::string& file : store_.PoolFiles()) SetMode(file, 0600);
  ASSERT_OK(Open());
  EXPECT_OK(store_.CheckAt(history_));
  store_.Close();
}

TEST_P(ReadOnlyPool, CannotBeMadeWhereNobodyMayWrite) {
  SetMode(store_.pools(), 0555);
  const NotRoot not_root;
  const Status status = Open();
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_TRUE(Says(status, "Permission denied"));
  EXPECT_EQ("", store_.PoolNames());
}

INSTANTIATE_TEST_SUITE_P(Of, ReadOnlyPool, ::testing::Values(true), EitherName);

}  // namespace
}  // namespace testkit
}  // namespace leveldb
