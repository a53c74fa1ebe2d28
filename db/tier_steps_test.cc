// Stops a database at every step at which it creates, opens, converts to or leaves a tier, and
// opens the result: as it would be after the end of the process, and after a power failure that
// does not affect the pool. No data may be missing, and nothing may be left half done.

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "db/files/filename.h"
#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "leveldb/pmem.h"
#include "pmem/media/pool.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/power_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Contents;
using testkit::Loss;
using testkit::PowerEnv;

constexpr char kName[] = "/db";

// Copies only the parts of a file that are not zeros; the rest stays a hole.
void CopySparsely(const std::filesystem::path& from, const std::filesystem::path& to) {
  const int source = open(from.c_str(), O_RDONLY);
  const int target = open(to.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_TRUE(source >= 0 && target >= 0);
  struct stat found;
  ASSERT_EQ(0, fstat(source, &found));
  ASSERT_EQ(0, ftruncate(target, found.st_size));
  std::vector<char> page(64 << 10);
  const std::vector<char> zeros(page.size());
  for (off_t at = 0; at < found.st_size;) {
    const ssize_t got = pread(source, page.data(), page.size(), at);
    ASSERT_GT(got, 0);
    if (memcmp(page.data(), zeros.data(), static_cast<size_t>(got)) != 0) {
      ASSERT_EQ(got, pwrite(target, page.data(), static_cast<size_t>(got), at));
    }
    at += got;
  }
  close(source);
  close(target);
}

void CopyPools(const std::string& from, const std::string& to) {
  std::filesystem::create_directory(to);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(from)) {
    const std::filesystem::path target = to / std::filesystem::relative(entry.path(), from);
    if (entry.is_directory()) {
      std::filesystem::create_directory(target);
    } else {
      CopySparsely(entry.path(), target);
    }
  }
}

class TierStepsTest : public ::testing::Test {
 protected:
  struct Moment {
    std::unique_ptr<PowerEnv> files;
    std::string pools;
  };

  TierStepsTest() {
    EXPECT_OK(Env::Default()->CreateDir(pools_));
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    pmem_.path = pools_;
    pmem_.size = Pool::kBytesMin;
  }

  Options OptionsFor(PowerEnv* env) const {
    Options options = options_;
    options.env = env;
    return options;
  }

  Status Open(PowerEnv* env, const PmemOptions& pmem, std::unique_ptr<PmemDB>* db) {
    PmemDB* opened = nullptr;
    db->reset();
    const Status status = PmemOpen(OptionsFor(env), pmem, kName, &opened);
    db->reset(opened);
    return status;
  }

  void Open() { ASSERT_OK(Open(&env_, pmem_, &db_)); }

  void OpenPlain() {
    PmemOptions none;
    none.require = false;
    ASSERT_OK(Open(&env_, none, &db_));
  }

  void Write(int operations) {
    for (int i = 0; i < operations; i++) {
      const std::string key = "key" + std::to_string(dice_.Below(200));
      if (dice_.OneIn(5)) {
        ASSERT_OK(db_->Delete(synced_, key));
        model_.erase(key);
      } else {
        model_[key] = dice_.Bytes(dice_.OneIn(2) ? dice_.Below(2000) : dice_.Below(100));
        ASSERT_OK(db_->Put(synced_, key, model_[key]));
      }
    }
  }

  // Runs `scenario`, closes the database, and keeps the contents of disk and pool before each of
  // the changes.
  void Record(const std::function<void()>& scenario) {
    RecordAt(&env_, pools_, {Loss::kKeepAll, Loss::kDropAll, Loss::kTear}, scenario);
  }

  void RecordAt(PowerEnv* files, const std::string& pools, const std::vector<Loss>& losses,
                const std::function<void()>& scenario) {
    files->SetChangeListener([this, files, &pools, &losses](uint64_t) {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (const Loss loss : losses) {
        Moment moment;
        moment.pools = dir_ / ("moment" + std::to_string(moments_made_++));
        // Other threads continue meanwhile. The copies of disk and pool are consistent if the pool
        // has not changed while they were made.
        do {
          std::filesystem::remove_all(moment.pools);
          CopyPools(pools, moment.pools);
          moment.files = files->AfterPowerLoss(loss, &dice_);
        } while (!testkit::SameFiles(pools, moment.pools));
        moments_.push_back(std::move(moment));
      }
    });
    scenario();
    db_.reset();
    files->SetChangeListener(nullptr);
  }

  // Opens the recorded moments (in short runs, a share of them), and records these opens instead.
  void RecordOpens() {
    std::vector<Moment> before = std::move(moments_);
    moments_.clear();
    PmemOptions none;
    none.require = false;
    for (Moment& moment : before) {
      if (moments_.empty() || static_cast<int>(dice_.Below(100)) < testkit::Scaled(100)) {
        PointToCopy(&moment);
        RecordAt(moment.files.get(), moment.pools, {Loss::kKeepAll},
                 [&] { ASSERT_OK(Open(moment.files.get(), none, &db_)); });
      }
      std::filesystem::remove_all(moment.pools);
    }
  }

  // Changes the PMEM file of a copied database to name the copied pool.
  void PointToCopy(Moment* moment) {
    PmemFile file;
    if (!ReadPmemFile(moment->files.get(), kName, &file).ok()) return;
    file.pool = moment->pools + file.pool.substr(file.pool.rfind('/'));
    ASSERT_OK(WritePmemFile(moment->files.get(), kName, file));
  }

  size_t CountPools(const std::string& directory) const {
    std::vector<std::string> paths;
    EXPECT_OK(Pool::ListPools(directory, &paths));
    return paths.size();
  }

  // Opens every moment with `pmem`, checks that all data is there, and drains it.
  void CheckMoments(const PmemOptions& pmem) {
    ASSERT_FALSE(moments_.empty());
    for (size_t i = 0; i < moments_.size(); i++) {
      SCOPED_TRACE("moment " + std::to_string(i) + " of " + std::to_string(moments_.size()));
      CheckMoment(pmem, &moments_[i]);
      if (HasFailure()) return;
    }
  }

  void CheckMoment(PmemOptions pmem, Moment* moment) {
    PointToCopy(moment);
    if (!pmem.path.empty()) pmem.path = moment->pools;
    std::unique_ptr<PmemDB> db;
    ASSERT_OK(Open(moment->files.get(), pmem, &db));
    ExpectModel(db.get());
    const bool has_tier = moment->files->FileExists(std::string(kName) + "/PMEM");
    EXPECT_EQ(has_tier ? 1u : 0u, CountPools(moment->pools));
    ASSERT_OK(db->Put(synced_, "more", std::string(1000, 'm')));
    db.reset();
    std::string report;
    const Options options = OptionsFor(moment->files.get());
    ASSERT_OK(CheckDB(kName, options, pmem, &report)) << report;
    ASSERT_OK(DrainDB(kName, options));
    EXPECT_EQ(0u, CountPools(moment->pools));
    PmemOptions none;
    none.require = false;
    ASSERT_OK(Open(moment->files.get(), none, &db));
    std::string value;
    ASSERT_OK(db->Get(ReadOptions(), "more", &value));
    ASSERT_OK(db->Delete(WriteOptions(), "more"));
    ExpectModel(db.get());
    db.reset();
    moment->files.reset();
    std::filesystem::remove_all(moment->pools);
  }

  void ExpectModel(DB* db) {
    Contents contents;
    ASSERT_OK(testkit::ReadContents(db, &contents));
    ASSERT_EQ(Contents(model_.begin(), model_.end()), contents);
  }

  const testkit::TempDir dir_{testkit::Medium::kMemory};
  const std::string pools_ = CanonicalPath(dir_.path()) + "/pools";
  PowerEnv env_;
  Options options_;
  PmemOptions pmem_;
  WriteOptions synced_{true};
  testkit::Dice dice_{testkit::AnnouncedSeed()};
  std::map<std::string, std::string> model_;
  std::unique_ptr<PmemDB> db_;
  std::mutex mutex_;
  std::vector<Moment> moments_;
  size_t moments_made_ = 0;
};

TEST_F(TierStepsTest, ADatabaseIsMade) {
  Record([&] { Open(); });
  CheckMoments(pmem_);
}

// The program that opens the database afterwards may not know of the tier.
TEST_F(TierStepsTest, ADatabaseIsMadeAndFoundByAPlainOpen) {
  Record([&] { Open(); });
  PmemOptions none;
  none.require = false;
  CheckMoments(none);
}

TEST_F(TierStepsTest, ADatabaseIsOpened) {
  Open();
  Write(100);
  Open();
  Write(300);
  Record([&] { Open(); });
  CheckMoments(pmem_);
}

// Opens a database after a power failure during an edit, with another power failure at each step.
TEST_F(TierStepsTest, ADatabaseWithATornManifestIsOpened) {
  Open();
  Write(100);
  const Slice beyond("\xff");
  db_->CompactRange(&beyond, &beyond);
  db_.reset();
  std::string current;
  ASSERT_OK(ReadFileToString(&env_, CurrentFileName(kName), &current));
  WritableFile* manifest;
  ASSERT_OK(env_.NewAppendableFile(std::string(kName) + "/" + current.substr(0, current.size() - 1),
                                   &manifest));
  ASSERT_OK(manifest->Append("the first bytes of an edit"));
  ASSERT_OK(manifest->Sync());
  delete manifest;
  Record([&] { OpenPlain(); });
  PmemOptions none;
  none.require = false;
  CheckMoments(none);
}

TEST_F(TierStepsTest, APlainDatabaseIsConverted) {
  OpenPlain();
  Write(300);
  db_->CompactRange(nullptr, nullptr);
  Write(50);
  db_.reset();
  pmem_.convert = true;
  Record([&] { Open(); });
  CheckMoments(pmem_);
}

TEST_F(TierStepsTest, AConversionIsFollowedByAPlainOpen) {
  OpenPlain();
  Write(100);
  db_.reset();
  pmem_.convert = true;
  Record([&] { Open(); });
  PmemOptions none;
  none.require = false;
  CheckMoments(none);
}

TEST_F(TierStepsTest, ADatabaseIsDrained) {
  Open();
  Write(400);
  Record([&] { ASSERT_OK(db_->Drain()); });
  PmemOptions none;
  none.require = false;
  CheckMoments(none);
}

TEST_F(TierStepsTest, AnInterruptedDrainIsFollowedByAnInterruptedOpen) {
  Open();
  Write(60);
  RecordAt(&env_, pools_, {Loss::kKeepAll}, [&] { ASSERT_OK(db_->Drain()); });
  RecordOpens();
  PmemOptions none;
  none.require = false;
  CheckMoments(none);
}

TEST_F(TierStepsTest, ADatabaseIsDrainedWithAnEmptyMemtable) {
  Open();
  Write(100);
  ASSERT_OK(db_->Drain());
  pmem_.convert = true;
  db_.reset();
  Open();
  Record([&] { ASSERT_OK(db_->Drain()); });
  PmemOptions none;
  none.require = false;
  CheckMoments(none);
}

TEST_F(TierStepsTest, ADatabaseIsRepaired) {
  Open();
  Write(300);
  db_.reset();
  Record([&] { ASSERT_OK(RepairDB(kName, OptionsFor(&env_))); });
  PmemOptions none;
  none.require = false;
  for (Moment& moment : moments_) {
    PointToCopy(&moment);
    std::unique_ptr<PmemDB> db;
    ASSERT_OK(Open(moment.files.get(), none, &db));
    ExpectModel(db.get());
    db.reset();
    // A pool that was set aside exists, and otherwise the pool is in use.
    EXPECT_EQ(1u, CountPools(moment.pools));
  }
}

}  // namespace
}  // namespace leveldb
