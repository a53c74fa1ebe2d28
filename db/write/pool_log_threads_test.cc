// Tests concurrent writes to a log in the pool, and writes concurrent with the thread that makes
// deferred fences.
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/write/pool_log_test.h"
#include "testing/pmem_sim.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::Loss;
using testkit::PmemImages;
using testkit::PmemSim;
using testkit::Scaled;
using testkit::ScratchPool;

INSTANTIATE_TEST_SUITE_P(Granularity, PoolLogTest, testing::Values(0, 1, 16384));

TEST_P(PoolLogTest, ConcurrentWritersAreAllServed) {
  constexpr int kThreads = 4;
  const int writes = Scaled(500);
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; t++) {
    writers.emplace_back([this, t, writes] {
      for (int i = 0; i < writes; i++) {
        const std::string key = std::to_string(t) + "." + std::to_string(i);
        const std::string value(i % 5 == 0 ? 700 : 5, static_cast<char>('a' + t));
        if (i % 3 == 0) {
          WriteBatch batch;
          batch.Put(key, value);
          batch.Put("last." + std::to_string(t), key);
          ASSERT_TRUE(store_.queue()->Write(&batch, i % 97 == 0).ok());
        } else {
          ASSERT_TRUE(store_.queue()->Put(key, value, i % 91 == 0).ok());
          ASSERT_TRUE(store_.queue()->Put("last." + std::to_string(t), key, false).ok());
        }
        ASSERT_EQ(key, store_.Get("last." + std::to_string(t)));
        ASSERT_EQ(value, store_.Get(key));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(uint64_t{kThreads} * writes * 2, store_.state()->versions->LastSequence());
  Reopen();
  EXPECT_EQ(uint64_t{kThreads} * writes * 2, store_.recovered().size());
}

// Cuts the power, which loses everything that was not fenced, and opens the store again.
void LosePower(PmemSim* sim, ScratchPool* scratch, PoolLogStore* store) {
  Dice dice(AnnouncedSeed());
  const PmemImages cut = sim->AfterPowerLoss(Loss::kDropAll, &dice);
  store->Close();
  scratch->Close();
  cut.Restore();
  ASSERT_TRUE(scratch->Reopen().ok());
  store->Open();
}

TEST(PoolLogFenceTest, WithGranularityAtMostSoMuchIsUnfenced) {
  ScratchPool scratch(kTestPoolBytes);
  PoolLogStore store(&scratch, 4096);
  store.Open();
  const uint64_t fences_before = scratch.pool()->persist()->counts().fences;
  for (int i = 0; i < 1000; i++) ASSERT_TRUE(store.queue()->Put("key", "0123456789", false).ok());
  const uint64_t fences = scratch.pool()->persist()->counts().fences - fences_before;
  EXPECT_GE(fences, 1000 * 16u / 4096);
  EXPECT_LE(fences, 500u);
}

TEST(PoolLogFenceTest, NothingStaysUnfencedForLong) {
  PmemSim sim;
  ScratchPool scratch(kTestPoolBytes, kExtent, sim.Factory());
  PoolLogStore store(&scratch, 1 << 20);
  store.Open();
  for (int round = 0; round < 3; round++) {
    ASSERT_TRUE(store.queue()->Put("key", std::to_string(round), false).ok());
    const uint64_t fences = scratch.pool()->persist()->counts().fences;
    while (scratch.pool()->persist()->counts().fences == fences) std::this_thread::yield();
  }
  ASSERT_NO_FATAL_FAILURE(LosePower(&sim, &scratch, &store));
  EXPECT_EQ((std::vector<std::string>{"key=0", "key=1", "key=2"}), store.recovered());
}

// The first value of the batch opens an extent, and the second one finds no room.
TEST(PoolLogFenceTest, AnExtentOpenedByAWriteThatFailedIsGoodForOtherThreads) {
  PmemSim sim;
  ScratchPool scratch(kTestPoolBytes, kExtent, sim.Factory());
  PoolLogStore store(&scratch);
  store.Open();
  std::thread([&store] {
    WriteBatch batch;
    batch.Put("a", std::string(1000, 'a'));
    batch.Put("huge", std::string(kTestPoolBytes, 'h'));
    EXPECT_TRUE(store.queue()->Write(&batch, false).IsIOError());
  }).join();
  ASSERT_TRUE(store.queue()->Put("b", std::string(1000, 'b'), false).ok());
  ASSERT_NO_FATAL_FAILURE(LosePower(&sim, &scratch, &store));
  EXPECT_EQ("", store.problem());
  EXPECT_EQ(std::vector<std::string>{"b=" + std::string(1000, 'b')}, store.recovered());
}

// A sync of the file does not reach the pool.
TEST(PoolLogFenceTest, ALogThatMovesToAFileLeavesASyncedOneBehind) {
  PmemSim sim(PmemSim::Model::kMsync);
  ScratchPool scratch(kTestPoolBytes, kExtent, sim.Factory());
  scratch.options()->assume_pmem = false;
  ASSERT_TRUE(scratch.Reopen().ok());
  PoolLogStore store(&scratch);
  store.Open();
  ASSERT_TRUE(store.queue()->Put("a", std::string(1000, 'a'), false).ok());
  ASSERT_TRUE(store.queue()->LeavePool().ok());
  ASSERT_TRUE(store.queue()->Put("b", "b", true).ok());
  ASSERT_NO_FATAL_FAILURE(LosePower(&sim, &scratch, &store));
  EXPECT_EQ("", store.problem());
  EXPECT_EQ(std::vector<std::string>{"a=" + std::string(1000, 'a')}, store.recovered());
}

// If writes are refused, only the timer can fence the acknowledged writes.
TEST(PoolLogFenceTest, ABackgroundErrorDoesNotKeepWhatIsAcknowledgedUnfenced) {
  PmemSim sim;
  ScratchPool scratch(kTestPoolBytes, kExtent, sim.Factory());
  PoolLogStore store(&scratch, 1 << 20);
  store.Open();
  const uint64_t fences = scratch.pool()->persist()->counts().fences;
  ASSERT_TRUE(store.queue()->Put("key", "value", false).ok());
  {
    MutexLock lock(&store.state()->mutex);
    store.state()->RecordBackgroundError("the test", Status::IOError("disk full"));
  }
  EXPECT_TRUE(store.queue()->Put("other", "value", false).IsIOError());
  while (scratch.pool()->persist()->counts().fences == fences) std::this_thread::yield();
}

// A flush that never ends blocks a switch until the database is closed; then the wait ends with an
// error.
TEST(PoolLogFenceTest, AWaitBeginsWithAFenceAndEndsWhenTheDatabaseIsClosed) {
  PmemSim sim;
  ScratchPool scratch(kTestPoolBytes, kExtent, sim.Factory());
  PoolLogStore store(&scratch, 1 << 20);
  store.Open();
  {
    MutexLock lock(&store.state()->mutex);
    store.state()->Publish(store.state()->memtable(),
                           std::make_shared<MemTable>(&store.state()->comparator()));
  }
  ASSERT_TRUE(store.queue()->Put("key", "value", false).ok());
  const uint64_t fences = scratch.pool()->persist()->counts().fences;
  std::thread writer([&store] {
    EXPECT_TRUE(store.queue()->SwitchMemtable().IsIOError());
    EXPECT_TRUE(store.queue()->Put("other", "value", false).ok());
  });
  while (scratch.pool()->persist()->counts().fences == fences) std::this_thread::yield();
  {
    MutexLock lock(&store.state()->mutex);
    store.state()->closing = true;
    store.state()->work_finished.SignalAll();
  }
  writer.join();
  store.Close();  // while a fence is due
}

}  // namespace
}  // namespace leveldb
