// The n-th call of each kind fails, once or from then on: errors are returned and no read is wrong.
// When the cause has ended a reopen works and every acknowledged write is present, even if the
// power was cut in between.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/power_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/workload.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kBatchesBefore = 40;
constexpr int kBatchesDuring = 80;

Options SmallOptions(Env* env, bool reuse_logs) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.reuse_logs = reuse_logs;
  return options;
}

// Runs one database through a session before the fault, one with it, and a check after it.
class Ordeal {
 public:
  Ordeal(uint64_t seed, bool reuse_logs)
      : workload_(seed), dice_(seed + 1), reuse_logs_(reuse_logs), env_(&disk_) {}

  // Returns how many calls of each kind the session with the fault makes if nothing fails.
  std::vector<uint64_t> CountCalls() {
    Before();
    env_.Heal();
    During();
    std::vector<uint64_t> calls;
    for (int kind = 0; kind < kCallKinds; ++kind) {
      calls.push_back(env_.calls(static_cast<Call>(kind)));
    }
    return calls;
  }

  void Suffer(const Fault& fault) {
    Before();
    env_.Inject(fault);
    During();
    const std::unique_ptr<PowerEnv> left = disk_.AfterPowerLoss(Loss::kTruncate, &dice_);
    Workload promised = workload_;
    env_.Heal();
    After();
    AfterLoss(left.get(), &promised);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "the disk:\n"
                    << disk_.Describe() << "as the power left it:\n"
                    << left->Describe();
    }
  }

 private:
  std::unique_ptr<DB> Open(Env* env, Status* status) {
    DB* db = nullptr;
    *status = DB::Open(SmallOptions(env, reuse_logs_), "/db", &db);
    return std::unique_ptr<DB>(db);
  }

  void Before() {
    Status status;
    const std::unique_ptr<DB> db = Open(&env_, &status);
    ASSERT_OK(status);
    int failed = 0;
    ASSERT_TRUE(workload_.Run(db.get(), kBatchesBefore, &failed));
    ASSERT_EQ(failed, 0);
  }

  void During() {
    Status status;
    std::unique_ptr<DB> db = Open(&env_, &status);
    for (int attempt = 0; attempt < 2 && db == nullptr; ++attempt) {
      ASSERT_FALSE(status.ok());
      db = Open(&env_, &status);  // a fault that is not lasting has ended
    }
    if (db == nullptr) {
      ASSERT_GT(env_.failures(), 0u) << status.ToString();
      return;
    }
    int failed = 0;
    ASSERT_TRUE(workload_.Run(db.get(), kBatchesDuring, &failed));
    if (env_.failures() == 0) {
      ASSERT_EQ(failed, 0);
    }
    ASSERT_TRUE(workload_.CheckAll(db.get(), true));
    // Reads work once the cause has ended, even if writes are refused until the reopen.
    env_.Pause();
    ASSERT_TRUE(workload_.CheckAll(db.get(), false));
    env_.Resume();
  }

  void After() {
    Status status;
    std::unique_ptr<DB> db = Open(&env_, &status);
    ASSERT_OK(status);
    ASSERT_TRUE(workload_.CheckAll(db.get(), false));
    int failed = 0;
    ASSERT_TRUE(workload_.Run(db.get(), kBatchesBefore, &failed));
    ASSERT_EQ(failed, 0);
    db.reset();
    db = Open(&env_, &status);
    ASSERT_OK(status);
    ASSERT_TRUE(workload_.CheckAll(db.get(), false));
  }

  // Checks the result of a power cut at the end of the session with the fault.
  void AfterLoss(PowerEnv* left, Workload* promised) {
    Status status;
    const std::unique_ptr<DB> db = Open(left, &status);
    ASSERT_OK(status);
    ASSERT_TRUE(promised->CheckSynced(db.get()));
  }

  Workload workload_;
  Dice dice_;
  const bool reuse_logs_;
  PowerEnv disk_;
  FaultEnv env_;
};

class FailingCalls : public ::testing::TestWithParam<int> {};

TEST_P(FailingCalls, LoseNothingThatWasAcknowledged) {
  const Call call = static_cast<Call>(GetParam());
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(40); ++round) {
    const uint64_t seed = dice.Next();
    const bool reuse_logs = dice.OneIn(3);
    const uint64_t calls = Ordeal(seed, reuse_logs).CountCalls()[GetParam()];
    ASSERT_FALSE(HasFailure());
    Fault fault;
    fault.call = call;
    // Early calls are special, so they are tried more often than late ones.
    fault.at = dice.OneIn(2) ? dice.Between(1, 5) : dice.Between(1, std::max<uint64_t>(1, calls));
    fault.lasting = dice.OneIn(2);
    fault.half_written = dice.OneIn(2);
    SCOPED_TRACE(std::string(CallName(call)) + " fails at " + std::to_string(fault.at) + " of " +
                 std::to_string(calls) + (fault.lasting ? ", lasting" : ", once") +
                 (fault.half_written ? ", half written" : "") +
                 (reuse_logs ? ", reusing logs" : ""));
    Ordeal(seed, reuse_logs).Suffer(fault);
    ASSERT_FALSE(HasFailure());
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FailingCalls, ::testing::Range(0, kCallKinds),
                         [](const auto& kind) { return CallName(static_cast<Call>(kind.param)); });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
