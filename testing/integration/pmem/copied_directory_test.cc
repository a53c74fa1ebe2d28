// A directory and its pool belong together, as of one moment: copies and restored backups of either
// alone are refused with a message that says so, and the original still works.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

class CopiedDirectory : public ::testing::Test {
 protected:
  CopiedDirectory() : history_(AnnouncedSeed(), 2000) {
    EXPECT_OK(store_.Open());
    EXPECT_OK(store_.Write(&history_, 100));
    store_.Close();
  }

  Status OpenAt(const std::string& path) {
    PmemDB* opened = nullptr;
    const Status status = PmemOpen(store_.options, store_.pmem, path, &opened);
    delete opened;
    return status;
  }

  // Expects that the original still opens and holds everything.
  void OriginalIsWell() {
    ASSERT_OK(store_.Open());
    ASSERT_OK(store_.CheckAt(history_));
    ASSERT_OK(store_.Check());
  }

  TierStore store_{kTinyPool};
  History history_;
};

TEST_F(CopiedDirectory, BesideItsOriginalIsRefused) {
  CopyDir(store_.path(), store_.dir() / "copy");
  const std::string pools = store_.PoolNames();
  const Status refused = OpenAt(store_.dir() / "copy");
  EXPECT_FALSE(refused.ok());
  EXPECT_TRUE(Says(refused, store_.path()));
  EXPECT_TRUE(Says(refused, store_.dir() / "copy"));
  EXPECT_TRUE(Says(refused, "copy"));
  EXPECT_TRUE(Says(refused, "bushstore backup"));
  EXPECT_EQ(store_.PoolNames(), pools);
  // A program that does not know the tier is refused, too.
  DB* plain = nullptr;
  EXPECT_TRUE(Says(DB::Open(store_.options, store_.dir() / "copy", &plain), "copy"));
  EXPECT_EQ(plain, nullptr);
  OriginalIsWell();
}

TEST_F(CopiedDirectory, OfAnOpenDatabaseIsRefused) {
  ASSERT_OK(store_.Open());
  CopyDir(store_.path(), store_.dir() / "copy");
  EXPECT_FALSE(OpenAt(store_.dir() / "copy").ok());
  ASSERT_OK(store_.Write(&history_, 100));
  OriginalIsWell();
}

TEST_F(CopiedDirectory, RestoredOverItsOriginalIsRefused) {
  CopyDir(store_.path(), store_.dir() / "backup");
  for (int session = 0; session < 2; ++session) {
    ASSERT_OK(store_.Open());
    ASSERT_OK(store_.Write(&history_, 50));
    store_.Close();
  }
  std::filesystem::rename(store_.path(), store_.dir() / "aside");
  CopyDir(store_.dir() / "backup", store_.path());
  const Status refused = store_.Open();
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  EXPECT_TRUE(Says(refused, store_.path()));
  EXPECT_TRUE(Says(refused, store_.pools()));
  EXPECT_TRUE(Says(refused, "epoch"));
  RemoveDir(store_.path());
  std::filesystem::rename(store_.dir() / "aside", store_.path());
  OriginalIsWell();
}

TEST_F(CopiedDirectory, WithAPoolFromAnEarlierTimeIsRefused) {
  CopyDir(store_.pools(), store_.dir() / "earlier");
  for (int session = 0; session < 2; ++session) {
    ASSERT_OK(store_.Open());
    ASSERT_OK(store_.Write(&history_, 50));
    store_.Close();
  }
  std::filesystem::rename(store_.pools(), store_.dir() / "aside");
  CopyDir(store_.dir() / "earlier", store_.pools());
  const Status refused = store_.Open();
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  EXPECT_TRUE(Says(refused, "epoch"));
  RemoveDir(store_.pools());
  std::filesystem::rename(store_.dir() / "aside", store_.pools());
  OriginalIsWell();
}

TEST_F(CopiedDirectory, TogetherWithItsPoolInTheSamePlacesIsFine) {
  store_.Keep("backup");
  ASSERT_OK(store_.Open());
  History later = history_;
  ASSERT_OK(store_.Write(&later, 100));
  store_.BringBack("backup");
  OriginalIsWell();
}

TEST_F(CopiedDirectory, MovedAsAWholeIsFine) {
  std::filesystem::rename(store_.path(), store_.dir() / "moved");
  PmemDB* opened = nullptr;
  ASSERT_OK(PmemOpen(store_.options, store_.pmem, store_.dir() / "moved", &opened));
  const std::unique_ptr<PmemDB> db(opened);
  uint64_t count = 0;
  ASSERT_OK(history_.Check(db.get(), &count));
  EXPECT_EQ(count, history_.size());
}

TEST_F(CopiedDirectory, FindsAPoolThatWasMovedWhereItsFileSays) {
  std::filesystem::rename(store_.pools(), store_.dir() / "elsewhere");
  std::string text = ReadFile(store_.path() + "/PMEM");
  const size_t at = text.find(store_.pools());
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, store_.pools().size(), store_.dir() / "elsewhere");
  WriteFile(store_.path() + "/PMEM", text);
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.CheckAt(history_));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
