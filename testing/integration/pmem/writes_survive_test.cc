// After a clean close everything that was written is present, synced or not, in the log, in trees
// or in tables.

#include <gtest/gtest.h>

#include <string>

#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

class WritesSurvive : public ::testing::TestWithParam<bool> {};

TEST_P(WritesSurvive, ACloseRightAfterThem) {
  const bool sync = GetParam();
  TierStore store;
  History history(AnnouncedSeed(), 2000);
  for (int session = 0; session < 20; ++session) {
    ASSERT_OK(store.Open());
    ASSERT_OK(store.CheckAt(history));
    // Every other session stays in the log; the others fill several memtables.
    ASSERT_OK(store.Write(&history, session % 2 == 0 ? 5 : 100, sync));
  }
  ASSERT_OK(store.Check());
}

TEST_P(WritesSurvive, ACloseAfterAFlush) {
  TierStore store;
  History history(AnnouncedSeed(), 2000);
  for (int session = 0; session < 10; ++session) {
    ASSERT_OK(store.Open());
    ASSERT_OK(store.CheckAt(history));
    ASSERT_OK(store.Write(&history, 30, GetParam()));
    store.Flush();
    ASSERT_OK(store.CheckAt(history));
    if (session % 3 == 2) {
      store.db()->CompactRange(nullptr, nullptr);
      ASSERT_OK(store.CheckAt(history));
    }
  }
  ASSERT_OK(store.Check());
}

TEST_P(WritesSurvive, AnOpenByAProgramThatKnowsNothingOfTheTier) {
  TierStore store;
  History history(AnnouncedSeed(), 2000);
  for (int session = 0; session < 10; ++session) {
    ASSERT_OK(session % 2 == 0 ? store.Open() : store.OpenPlainly());
    ASSERT_OK(store.CheckAt(history));
    ASSERT_OK(store.Write(&history, 60, GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(Whether, WritesSurvive, ::testing::Bool(),
                         [](const auto& sync) { return sync.param ? "Synced" : "NotSynced"; });

TEST(WritesSurvive, AsAKillLeavesThem) {
  // The images are of an idle database, as if its process had been killed.
  TierStore store(kTinyPool);
  History history(AnnouncedSeed(), 2000);
  for (int session = 0; session < 10; ++session) {
    ASSERT_OK(store.Open());
    ASSERT_OK(store.CheckAt(history));
    ASSERT_OK(store.Write(&history, session % 2 == 0 ? 7 : 70));
    store.Flush();
    ASSERT_OK(store.Write(&history, 3));
    store.Keep("killed");
    store.BringBack("killed");
  }
  ASSERT_OK(store.Check());
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
