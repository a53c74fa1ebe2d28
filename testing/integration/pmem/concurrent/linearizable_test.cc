// Single calls from several threads are linearizable while the tier flushes, merges, collects
// values and spills.

#include <gtest/gtest.h>

#include "testing/seed.h"
#include "testing/small_histories.h"
#include "testing/status_checks.h"
#include "testing/threads.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

struct Case {
  const char* name;
  double spill_start;
  uint64_t wal_persist_bytes;
};

class LinearizableTier : public ::testing::TestWithParam<Case> {};

TEST_P(LinearizableTier, SmallHistories) {
  TierStore store(kTinyPool);
  store.pmem.spill_start = GetParam().spill_start;
  store.pmem.spill_stop = GetParam().spill_start / 2;
  store.pmem.gc_ratio = 0.1;
  store.pmem.wal_persist_bytes = GetParam().wal_persist_bytes;
  ASSERT_OK(store.Open());
  DB* const db = store.db();
  {
    Threads threads;
    threads.Repeat([db] { db->CompactRange(nullptr, nullptr); });
    threads.Run([db] { EXPECT_EQ("", FirstBadHistory(db, AnnouncedSeed(), Scaled(1000))); });
  }
  EXPECT_OK(store.Check());
}

INSTANTIATE_TEST_SUITE_P(With, LinearizableTier,
                         ::testing::Values(Case{"EveryWriteFenced", 0.85, 0},
                                           Case{"SpillsAndLateFences", 0.2, 1 << 20}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
