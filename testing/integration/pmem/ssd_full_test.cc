// The disk fails while trees are spilled to it: what was acknowledged stays, writes fail when the
// pool is full as well, and reads continue; when the disk works again a reopen finishes the work.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/env.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

struct Case {
  const char* name;
  Call call;
  const char* files;
};

class SsdFull : public ::testing::TestWithParam<Case> {};

TEST_P(SsdFull, DuringASpillLosesNothing) {
  Dice dice(AnnouncedSeed());
  FaultEnv env(Env::Default());
  TierStore store(kTinyPool);
  store.options.env = &env;
  History history(dice.Next(), 4000, "h/");
  uint64_t fillers = 0;
  const auto filler = [](uint64_t number) { return "filler" + std::to_string(number); };
  for (int round = 0; round < 4; ++round) {
    env.Heal();
    ASSERT_OK(store.Open());
    std::set<uint64_t> present;
    ASSERT_OK(
        history.FindBatches(store.db(), history.size() == 0 ? 0 : history.size() - 1, &present));
    history.KeepOnly(present);

    Fault fault;
    fault.call = GetParam().call;
    fault.at = dice.Between(1, fault.call == Call::kAppend ? 40 : 5);
    fault.lasting = true;
    fault.half_written = dice.OneIn(2);
    fault.text = "No space left on device";
    fault.only_names_with = GetParam().files;
    env.Inject(fault);
    Status refused;
    for (int i = 0; i < 20000 && refused.ok(); ++i) {
      refused = store.db()->Put(WriteOptions(), filler(fillers), std::string(1500, 'f'));
      fillers += refused.ok() ? 1 : 0;
      if (refused.ok()) {
        refused = store.Write(&history, 1);
      }
    }
    ASSERT_FALSE(refused.ok()) << env.calls(fault.call) << " calls, number " << fault.at
                               << " and all after it were to fail";
    EXPECT_TRUE(refused.IsIOError()) << refused.ToString();
    EXPECT_TRUE(Says(refused, "No space left on device"));
    // Reads of the pool and of existing tables continue.
    ASSERT_OK(history.FindBatches(store.db(), history.size() - 1, &present));
    std::string value;
    for (uint64_t number = 0; number < fillers; ++number) {
      ASSERT_OK(store.db()->Get(ReadOptions(), filler(number), &value)) << number;
    }
  }
  env.Heal();
  ASSERT_OK(store.Check());
  ASSERT_OK(store.Open());
  ASSERT_OK(store.db()->Put(WriteOptions(), "after", "it"));
  std::string value;
  for (uint64_t number = 0; number < fillers; ++number) {
    ASSERT_OK(store.db()->Get(ReadOptions(), filler(number), &value)) << number;
  }
  ASSERT_OK(store.Check());
}

INSTANTIATE_TEST_SUITE_P(At, SsdFull,
                         ::testing::Values(Case{"TheTables", Call::kAppend, ".ldb"},
                                           Case{"TheSyncOfTables", Call::kSync, ".ldb"},
                                           Case{"TheCreationOfTables", Call::kCreate, ".ldb"},
                                           Case{"TheManifest", Call::kAppend, "MANIFEST"},
                                           Case{"TheSyncOfTheManifest", Call::kSync, "MANIFEST"}),
                         [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
