#include "db/open/pool_attach.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "db/open/pool_place.h"
#include "pmem/media/pool_description.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Says;

class PoolAttachTest : public ::testing::Test {
 protected:
  PoolAttachTest() {
    EXPECT_OK(Env::Default()->CreateDir(pools_));
    EXPECT_OK(Env::Default()->CreateDir(database_));
    request_.path = pools_;
    request_.size = Pool::kBytesMin;
    request_.require = true;
  }

  // Attaches the pool like an open. `finish` is the number of steps executed afterwards: the
  // manifest is synced, the pool is settled.
  Status Attach(bool is_new, int finish = 2) {
    const Options options;
    const ResolvedOptions resolved(database_, options);
    PoolAttach attach(resolved, request_);
    Status status = attach.Attach(is_new, tag_);
    tier_ = attach.TakeTier();
    if (!status.ok() || tier_ == nullptr) return status;
    if (finish > 0) tag_ = attach.next_tag();
    if (finish > 1) status = attach.Settle(tier_->pool());
    return status;
  }

  Status Reattach(int finish = 2) {
    tier_.reset();
    return Attach(/*is_new=*/false, finish);
  }

  PmemFile File() const {
    PmemFile file;
    EXPECT_OK(ReadPmemFile(Env::Default(), database_, &file));
    return file;
  }

  void SetState(PmemFile::State state) {
    PmemFile file = File();
    file.state = state;
    ASSERT_OK(WritePmemFile(Env::Default(), database_, file));
  }

  bool HasFile() const { return Env::Default()->FileExists(database_ + "/PMEM"); }

  size_t CountPools() const {
    std::vector<std::string> paths;
    EXPECT_OK(Pool::ListPools(pools_, &paths));
    return paths.size();
  }

  const testkit::TempDir dir_;
  const std::string pools_ = CanonicalPath(dir_.path()) + "/pools";
  std::string database_ = CanonicalPath(dir_.path()) + "/db";
  PmemRequest request_;
  std::optional<TierTag> tag_;  // as the manifest has it
  std::unique_ptr<PmemTier> tier_;
};

TEST_F(PoolAttachTest, ANewDatabaseGetsAPoolAndFindsItAgain) {
  ASSERT_OK(Attach(/*is_new=*/true));
  ASSERT_NE(nullptr, tier_);
  EXPECT_EQ(tag_->pool, tier_->pool()->id());
  EXPECT_EQ(2u, tag_->epoch);
  EXPECT_EQ(2u, tier_->pool()->epoch());
  EXPECT_EQ(PmemFile::kUsed, File().state);
  EXPECT_EQ(tier_->pool()->path(), File().pool);
  request_ = PmemRequest();  // no pool is requested any more
  ASSERT_OK(Reattach());
  ASSERT_NE(nullptr, tier_);
  EXPECT_EQ(4u, tag_->epoch);
  EXPECT_EQ(1u, CountPools());
}

TEST_F(PoolAttachTest, WithoutARequestThereIsNoPool) {
  request_ = PmemRequest();
  ASSERT_OK(Attach(true));
  EXPECT_EQ(nullptr, tier_);
  EXPECT_FALSE(HasFile());
  request_.require_tier = true;
  EXPECT_TRUE(Says(Attach(true), "does not say where its pool is to be"));
}

TEST_F(PoolAttachTest, APlainDatabaseStaysPlainUnlessItIsConverted) {
  ASSERT_OK(Attach(false));
  EXPECT_EQ(nullptr, tier_);
  request_.require_tier = true;
  EXPECT_TRUE(Says(Attach(false), "PmemOptions::convert"));
  request_.convert = true;
  ASSERT_OK(Attach(false));
  EXPECT_NE(nullptr, tier_);
}

TEST_F(PoolAttachTest, WherePoolsCannotBeMade) {
  request_.path = pools_ + "/none/none";
  EXPECT_TRUE(Says(Attach(true), "no pool can be made for " + database_));
  EXPECT_FALSE(HasFile());
  request_.require = false;
  ASSERT_OK(Attach(true));
  EXPECT_EQ(nullptr, tier_);
  EXPECT_FALSE(HasFile());
  request_.path = pools_;
  request_.problem = Status::InvalidArgument("LEVELDB_PMEM_SIZE=x");
  ASSERT_OK(Attach(true));
  EXPECT_EQ(nullptr, tier_);
  request_.require = true;
  EXPECT_TRUE(Says(Attach(true), "LEVELDB_PMEM_SIZE=x"));
}

TEST_F(PoolAttachTest, AnInterruptedCreationIsBegunAgain) {
  ASSERT_OK(Attach(true, /*finish=*/0));
  EXPECT_EQ(PmemFile::kNew, File().state);
  const std::string id = File().id;
  request_.path.clear();
  ASSERT_OK(Reattach());
  ASSERT_NE(nullptr, tier_);
  EXPECT_NE(id, File().id);
  EXPECT_EQ(1u, CountPools());
}

TEST_F(PoolAttachTest, ACreationThatStoppedBeforeThePoolWasMade) {
  PmemFile file;
  const PoolId id = PoolId::Random();
  file.pool = DirectoryPoolPath(pools_, database_, id);
  file.id = id.Text();
  ASSERT_OK(WritePmemFile(Env::Default(), database_, file));
  testkit::WriteFile(file.pool, "half a text");
  ASSERT_OK(Attach(false));
  ASSERT_NE(nullptr, tier_);
  EXPECT_EQ(1u, CountPools());
}

TEST_F(PoolAttachTest, TheCreationOfAFileIsBegunAgainWhereverItStopped) {
  request_.path = pools_ + "/file";
  ASSERT_OK(Attach(true, /*finish=*/0));
  tier_.reset();
  const std::string made = testkit::ReadFile(request_.path);
  std::string rootless = made;
  const size_t root = rootless.find(PoolRoot::kMagic, 0, PoolRoot::kMagicBytes);
  ASSERT_NE(std::string::npos, root);
  rootless.replace(root, PoolRoot::kMagicBytes, PoolRoot::kMagicBytes, '\0');
  for (const std::string& left : {made, rootless, std::string(1 << 20, '\0'), std::string()}) {
    tier_.reset();
    ASSERT_OK(RemovePmemFile(Env::Default(), database_));
    PmemFile file;
    file.pool = request_.path;
    file.id = PoolId::Random().Text();
    PoolDescription found;
    testkit::WriteFile(request_.path, left);
    if (DescribePool(request_.path, &found).ok()) file.id = found.id.Text();
    ASSERT_OK(WritePmemFile(Env::Default(), database_, file));
    ASSERT_OK(Attach(false, /*finish=*/0)) << left.size();
    ASSERT_NE(nullptr, tier_);
  }
  // A file that is not our pool is not overwritten, whatever PMEM says.
  tier_.reset();
  testkit::WriteFile(request_.path, "precious");
  EXPECT_TRUE(Says(Attach(false), "it is not empty"));
  EXPECT_EQ("precious", testkit::ReadFile(request_.path));
}

// Wherever an open stops, the next one continues.
TEST_F(PoolAttachTest, EpochsSurviveInterruptions) {
  ASSERT_OK(Attach(true, /*finish=*/1));
  ASSERT_OK(Reattach(0));
  ASSERT_OK(Reattach(0));
  ASSERT_OK(Reattach(1));
  ASSERT_OK(Reattach(1));
  ASSERT_OK(Reattach(0));
  ASSERT_OK(Reattach(2));
  EXPECT_EQ(tag_->epoch, tier_->pool()->epoch());
  ASSERT_OK(Reattach(2));
}

TEST_F(PoolAttachTest, AStateOfAnotherTimeIsRefused) {
  ASSERT_OK(Attach(true));
  const TierTag backup = *tag_;
  ASSERT_OK(Reattach());
  const TierTag current = *tag_;
  tag_ = backup;
  Status status = Reattach();
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_TRUE(Says(status, "the directory is as it was some opens ago"));
  EXPECT_TRUE(Says(status, database_));
  EXPECT_TRUE(Says(status, pools_));
  tag_ = TierTag{current.pool, current.epoch + 2};
  EXPECT_TRUE(Says(Reattach(), "the pool is as it was some opens ago"));
  tag_ = TierTag{current.pool, current.epoch + 1};
  EXPECT_TRUE(Reattach().IsCorruption());
  tag_ = current;
  ASSERT_OK(Reattach());
}

TEST_F(PoolAttachTest, ADirectoryThatIsNotOfOnePieceIsRefused) {
  ASSERT_OK(Attach(true));
  const TierTag tag = *tag_;
  tag_.reset();
  EXPECT_TRUE(Says(Reattach(), "the manifest in that directory knows of no pool"));
  tag_ = TierTag{PoolId::Random(), tag.epoch};
  EXPECT_TRUE(Says(Reattach(), "names the pool " + tag.pool.Text()));
  tag_ = tag;
  ASSERT_OK(RemovePmemFile(Env::Default(), database_));
  const Status status = Reattach();
  EXPECT_TRUE(Says(status, "PMEM is missing"));
  EXPECT_TRUE(Says(status, tag.pool.Text()));
  EXPECT_TRUE(Says(status, "bushstore repair --without-pool " + database_));
  EXPECT_EQ(1u, CountPools());
}

TEST_F(PoolAttachTest, AMissingPoolIsAnErrorThatNamesBothPlaces) {
  ASSERT_OK(Attach(true));
  const std::string path = tier_->pool()->path();
  tier_.reset();
  ASSERT_OK(Pool::Remove(path));
  const Status status = Attach(false);
  EXPECT_TRUE(status.IsIOError());
  EXPECT_TRUE(Says(status, path));
  EXPECT_TRUE(Says(status, database_));
  EXPECT_TRUE(Says(status, "bushstore repair --without-pool"));
  EXPECT_EQ(0u, CountPools());
}

TEST_F(PoolAttachTest, ABusyPoolIsAnError) {
  ASSERT_OK(Attach(true));
  const std::unique_ptr<PmemTier> in_use = std::move(tier_);
  EXPECT_TRUE(Attach(false).IsIOError());
}

TEST_F(PoolAttachTest, ACopyOfTheDirectoryIsRefused) {
  ASSERT_OK(Attach(true));
  tier_.reset();
  const std::string original = database_;
  database_ = CanonicalPath(dir_ / "copy");
  testkit::CopyDir(original, database_);
  const Status status = Attach(false);
  EXPECT_TRUE(status.IsInvalidArgument());
  EXPECT_TRUE(Says(status, "belongs to " + original));
  EXPECT_TRUE(Says(status, "bushstore backup"));
  // Once the original is gone, the copy is the database, which has been moved.
  testkit::RemoveDir(original);
  ASSERT_OK(Attach(false));
  EXPECT_EQ(database_, CurrentOwner(tier_->pool()->path(), tier_->pool()->owner()));
}

TEST_F(PoolAttachTest, AnOrphanOfTheSameDirectoryStays) {
  ASSERT_OK(Attach(true));
  tier_.reset();
  tag_.reset();
  testkit::RemoveDir(database_);
  ASSERT_OK(Env::Default()->CreateDir(database_));
  ASSERT_OK(Attach(true));
  EXPECT_EQ(2u, CountPools());  // the directory may only have been moved
}

TEST_F(PoolAttachTest, TheEndOfADrainIsFinished) {
  request_.convert = true;  // creates a new pool, but does not restore the old one
  ASSERT_OK(Attach(true));
  SetState(PmemFile::kLeaving);
  request_ = PmemRequest();
  // With a tag, the drain had not reached its point of no return.
  ASSERT_OK(Reattach());
  EXPECT_EQ(PmemFile::kUsed, File().state);
  SetState(PmemFile::kLeaving);
  tag_.reset();
  ASSERT_OK(Reattach());
  EXPECT_EQ(nullptr, tier_);
  EXPECT_FALSE(HasFile());
  EXPECT_EQ(0u, CountPools());
}

TEST_F(PoolAttachTest, TheEndOfARepairIsFinished) {
  ASSERT_OK(Attach(true));
  SetState(PmemFile::kAside);
  request_ = PmemRequest();
  tag_.reset();
  ASSERT_OK(Reattach());
  EXPECT_EQ(nullptr, tier_);
  EXPECT_FALSE(HasFile());
  ASSERT_EQ(1u, CountPools());
  std::vector<std::string> paths;
  ASSERT_OK(Pool::ListPools(pools_, &paths));
  EXPECT_TRUE(IsSetAside(paths[0]));
}

TEST_F(PoolAttachTest, APoolOfFixedSizeAndALargerCeiling) {
  request_.path = pools_ + "/fixed";
  ASSERT_OK(Attach(true));
  EXPECT_EQ(pools_ + "/fixed", File().pool);
  ASSERT_OK(Reattach());

  tag_.reset();
  tier_.reset();
  database_ += "2";
  ASSERT_OK(Env::Default()->CreateDir(database_));
  request_.path = pools_;
  ASSERT_OK(Attach(true));
  EXPECT_EQ(uint64_t{Pool::kBytesMin}, File().size);
  request_.size = 64 << 20;
  ASSERT_OK(Reattach());
  EXPECT_EQ(uint64_t{64} << 20, File().size);
  EXPECT_EQ(uint64_t{64} << 20, tier_->pool()->ceiling());
  request_.size = 0;
  ASSERT_OK(Reattach());
  EXPECT_EQ(uint64_t{64} << 20, tier_->pool()->ceiling());
}

}  // namespace
}  // namespace leveldb
