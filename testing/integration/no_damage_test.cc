// Calls that fail for other reasons than damage: no error is ever Corruption, because programs
// repair or delete a database on that, and a repair that reaches a limit of the process gives up
// before it has set anything aside.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/pmem.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/power_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr char kPath[] = "/db";
constexpr int kKeys = 300;
// The system's messages for EIO, EMFILE, ENFILE, ENOMEM and EINTR.
constexpr const char* kCauses[] = {"Input/output error", "Too many open files",
                                   "Too many open files in system", "Cannot allocate memory",
                                   "Interrupted system call"};
constexpr const char* kShortages[] = {"Too many open files", "Too many open files in system",
                                      "Cannot allocate memory"};

std::string Key(int i) {
  return "key" + std::to_string(1000 + i);
}
std::string Value(int i) {
  return std::string(500, static_cast<char>('a' + i % 26));
}

Options SmallOptions(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.paranoid_checks = true;
  return options;
}

// Makes tables of several levels, and a log.
void Fill(Env* env) {
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(SmallOptions(env), kPath, &opened));
  const std::unique_ptr<DB> db(opened);
  for (int i = 0; i < kKeys; ++i) ASSERT_OK(db->Put(WriteOptions(), Key(i), Value(i)));
  db->CompactRange(nullptr, nullptr);
  for (int i = 0; i < kKeys; i += 3) ASSERT_OK(db->Put(WriteOptions(), Key(i), Value(i)));
}

::testing::AssertionResult HasAll(Env* env) {
  DB* opened = nullptr;
  const Status status = DB::Open(SmallOptions(env), kPath, &opened);
  if (!status.ok()) return IsOk(status);
  const std::unique_ptr<DB> db(opened);
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    const Status found = db->Get(ReadOptions(), Key(i), &value);
    if (!found.ok() || value != Value(i)) {
      return ::testing::AssertionFailure() << Key(i) << ": " << found.ToString();
    }
  }
  return ::testing::AssertionSuccess();
}

void ExpectNoDamage(const Status& status) {
  EXPECT_FALSE(status.IsCorruption()) << status.ToString();
}

// Makes all calls that can return an error.
void Use(FaultEnv* env) {
  DB* opened = nullptr;
  ExpectNoDamage(DB::Open(SmallOptions(env), kPath, &opened));
  if (opened != nullptr) {
    const std::unique_ptr<DB> db(opened);
    ReadOptions read;
    read.verify_checksums = true;
    for (int i = 0; i < kKeys; i += 7) {
      std::string value;
      ExpectNoDamage(db->Get(read, Key(i), &value));
    }
    const std::unique_ptr<Iterator> entries(db->NewIterator(read));
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) continue;
    ExpectNoDamage(entries->status());
    for (entries->SeekToLast(); entries->Valid(); entries->Prev()) continue;
    ExpectNoDamage(entries->status());
    ExpectNoDamage(db->Put(WriteOptions(), Key(0), Value(0)));
    db->CompactRange(nullptr, nullptr);
    ExpectNoDamage(db->Put(WriteOptions(), Key(1), Value(1)));
  }
  std::string report;
  ExpectNoDamage(CheckDB(kPath, SmallOptions(env), PmemOptions(), &report));
}

class NoDamage : public ::testing::TestWithParam<int> {};

TEST_P(NoDamage, IsToldOfACallThatFails) {
  const Call call = static_cast<Call>(GetParam());
  Dice dice(AnnouncedSeed());
  for (const char* const cause : kCauses) {
    uint64_t calls = 0;
    {
      PowerEnv disk;
      FaultEnv env(&disk);
      Fill(&env);
      env.Heal();
      Use(&env);
      calls = std::max<uint64_t>(1, env.calls(call));
    }
    for (int round = 0; round < Scaled(10); ++round) {
      PowerEnv disk;
      FaultEnv env(&disk);
      Fill(&env);
      Fault fault;
      fault.call = call;
      fault.text = cause;
      fault.at =
          dice.OneIn(2) ? dice.Between(1, std::min<uint64_t>(5, calls)) : dice.Between(1, calls);
      fault.lasting = dice.OneIn(2);
      SCOPED_TRACE(std::string(CallName(call)) + ": " + cause + " at " + std::to_string(fault.at) +
                   (fault.lasting ? ", lasting" : ", once"));
      env.Inject(fault);
      Use(&env);
      env.Heal();
      EXPECT_TRUE(HasAll(&env));
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, NoDamage, ::testing::Range(0, kCallKinds),
                         [](const auto& kind) { return CallName(static_cast<Call>(kind.param)); });

TEST(NoDamageToRepair, ARepairThatMeetsALimitGivesUp) {
  Dice dice(AnnouncedSeed());
  for (const Call call : {Call::kOpenToRead, Call::kRead}) {
    for (const char* const cause : kShortages) {
      for (const char* const names : {".ldb", ".log", "MANIFEST", "CURRENT"}) {
        for (const bool lasting : {false, true}) {
          SCOPED_TRACE(std::string(CallName(call)) + " of " + names + ": " + cause +
                       (lasting ? ", lasting" : ", once"));
          PowerEnv disk;
          FaultEnv env(&disk);
          Fill(&env);
          Fault fault;
          fault.call = call;
          fault.text = cause;
          fault.at = lasting ? 1 : dice.Between(1, 2);
          fault.lasting = lasting;
          fault.only_names_with = names;
          env.Inject(fault);
          const Status status = RepairDB(kPath, SmallOptions(&env));
          if (lasting) {
            EXPECT_TRUE(status.IsIOError() && Says(status, cause)) << status.ToString();
          }
          env.Heal();
          EXPECT_TRUE(HasAll(&env));
          // A repair that succeeds keeps old manifests and logs in lost/.
          if (!status.ok()) {
            EXPECT_FALSE(env.FileExists(std::string(kPath) + "/lost"));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
