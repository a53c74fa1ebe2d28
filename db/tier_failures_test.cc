// Every call to the file system fails once, while a database creates, opens, converts to or leaves
// a tier. Whatever the result, the next open finds all data, and no pool is left over.

#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/open/pool_place.h"
#include "leveldb/pmem.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_description.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Call;
using testkit::Contents;

class TierFailuresTest : public ::testing::TestWithParam<Call> {
 protected:
  TierFailuresTest() : env_(Env::Default()) {
    options_.env = &env_;
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    pmem_.size = Pool::kBytesMin;
  }

  Status Open() {
    PmemDB* opened = nullptr;
    db_.reset();
    const Status status = PmemOpen(options_, pmem_, path_, &opened);
    db_.reset(opened);
    return status;
  }

  void Write(int operations) {
    for (int i = 0; i < operations; i++) {
      const std::string key = "key" + std::to_string(dice_.Below(100));
      model_[key] = dice_.Bytes(dice_.OneIn(2) ? dice_.Below(2000) : dice_.Below(100));
      ASSERT_OK(db_->Put(WriteOptions(), key, model_[key]));
    }
  }

  void ExpectModel() {
    Contents contents;
    ASSERT_OK(testkit::ReadContents(db_.get(), &contents));
    ASSERT_EQ(Contents(model_.begin(), model_.end()), contents);
  }

  // Runs `prepare`, then `scenario` with the first, second, ... call failing, in a new directory
  // each time, until no call fails any more; opens the database after each run.
  void Run(const std::function<void()>& prepare, const std::function<Status()>& scenario) {
    for (uint64_t at = 1;; at++) {
      SCOPED_TRACE(std::string(testkit::CallName(GetParam())) + " #" + std::to_string(at));
      ASSERT_LT(at, 200u);
      const testkit::TempDir dir{testkit::Medium::kMemory};
      ASSERT_OK(Env::Default()->CreateDir(dir / "pools"));
      pmem_.path = dir / "pools";
      path_ = dir / "db";
      model_.clear();
      pmem_.convert = false;
      pmem_.require = true;
      prepare();
      testkit::Fault fault;
      fault.call = GetParam();
      fault.at = at;
      env_.Inject(fault);
      const Status status = scenario();
      db_.reset();
      const bool met = env_.failures() > 0;
      env_.Heal();
      if (!met) {
        ASSERT_OK(status);
        return;
      }
      pmem_.require = false;
      ASSERT_OK(Open());
      ExpectModel();
      Write(10);
      ASSERT_OK(db_->Drain());
      ExpectModel();
      db_.reset();
      std::vector<std::string> pools;
      ASSERT_OK(Pool::ListPools(dir / "pools", &pools));
      ASSERT_TRUE(pools.empty()) << pools[0];
      if (HasFatalFailure()) return;
    }
  }

  testkit::FaultEnv env_;
  Options options_;
  PmemOptions pmem_;
  std::string path_;
  testkit::Dice dice_{testkit::AnnouncedSeed()};
  std::map<std::string, std::string> model_;
  std::unique_ptr<PmemDB> db_;
};

TEST_P(TierFailuresTest, MakingADatabase) {
  Run([] {}, [this] { return Open(); });
}

TEST_P(TierFailuresTest, OpeningADatabase) {
  Run(
      [this] {
        ASSERT_OK(Open());
        Write(100);
        db_.reset();
      },
      [this] { return Open(); });
}

TEST_P(TierFailuresTest, ConvertingADatabase) {
  Run(
      [this] {
        const std::string pools = std::exchange(pmem_.path, "");
        pmem_.require = false;
        ASSERT_OK(Open());
        Write(50);
        db_.reset();
        pmem_.path = pools;
        pmem_.require = true;
        pmem_.convert = true;
      },
      [this] { return Open(); });
}

TEST_P(TierFailuresTest, DrainingADatabase) {
  Run(
      [this] {
        ASSERT_OK(Open());
        Write(200);
      },
      [this] { return db_->Drain(); });
}

TEST_P(TierFailuresTest, RepairingADatabase) {
  Run(
      [this] {
        ASSERT_OK(Open());
        Write(100);
        db_->CompactRange(nullptr, nullptr);  // some of it is in a tree, which the manifest names
        Write(20);
        db_.reset();
      },
      [this] {
        const Status status = RepairDB(path_, options_);
        env_.Pause();
        // The pool that was set aside is correct, but is in the way of the check below.
        std::vector<PmemPoolInfo> pools;
        EXPECT_OK(DescribePools(pmem_.path, &pools));
        for (const PmemPoolInfo& pool : pools) {
          if (pool.is_set_aside) {
            EXPECT_OK(RemoveOrphanPool(pool));
          }
        }
        env_.Resume();
        return status;
      });
}

// A process that was killed may have left a manifest that can be read and is not durable. Changes
// to the pool follow from it, and survive a power failure.
TEST(TierFailures, ThePoolIsLeftAsItIsUntilTheManifestIsDurable) {
  const testkit::TempDir dir{testkit::Medium::kMemory};
  ASSERT_OK(Env::Default()->CreateDir(dir / "pools"));
  testkit::FaultEnv env(Env::Default());
  Options options;
  options.env = &env;
  options.create_if_missing = true;
  PmemOptions pmem;
  pmem.path = dir / "pools";
  pmem.size = Pool::kBytesMin;
  PmemDB* opened = nullptr;
  ASSERT_OK(PmemOpen(options, pmem, dir / "db", &opened));
  delete opened;
  std::vector<std::string> pools;
  ASSERT_OK(Pool::ListPools(dir / "pools", &pools));
  ASSERT_EQ(1u, pools.size());
  PoolDescription before;
  ASSERT_OK(DescribePool(pools[0], &before));
  testkit::Fault fault;
  fault.call = Call::kSync;
  fault.only_names_with = "MANIFEST";
  env.Inject(fault);
  EXPECT_FALSE(PmemOpen(options, pmem, dir / "db", &opened).ok());
  PoolDescription after;
  ASSERT_OK(DescribePool(pools[0], &after));
  EXPECT_EQ(before.epoch, after.epoch);
  EXPECT_EQ(before.logs, after.logs);
  env.Heal();
  ASSERT_OK(PmemOpen(options, pmem, dir / "db", &opened));
  delete opened;
}

INSTANTIATE_TEST_SUITE_P(Calls, TierFailuresTest,
                         ::testing::Values(Call::kCreate, Call::kAppend, Call::kSync, Call::kClose,
                                           Call::kOpenToRead, Call::kRead, Call::kRename,
                                           Call::kRemove, Call::kList, Call::kSize),
                         [](const ::testing::TestParamInfo<Call>& call) {
                           std::string name = testkit::CallName(call.param);
                           std::erase_if(name, [](char c) { return !isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace leveldb
