// Tests the simulator itself: what it keeps, what it loses, and that planted faults are noticed.
#include "testing/pmem_sim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "pmem/media/extents.h"
#include "pmem/media/pool.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr uint64_t kPoolBytes = 8 << 20;
constexpr Loss kAllLosses[] = {Loss::kDropAll, Loss::kInOrder, Loss::kTruncate, Loss::kTear,
                               Loss::kKeepAll};

// A pool in a simulation, with one extent to write to.
struct Bench {
  explicit Bench(PmemSim::Model model = PmemSim::Model::kCacheLines)
      : sim(model), pool(kPoolBytes, 64 << 10, sim.Factory()) {
    EXPECT_TRUE(pool.extents()->Reserve(1, &pool_offset).ok());
  }

  Persist* persist() { return pool.pool()->persist(); }
  char* at(size_t offset) { return pool.pool()->At(pool_offset) + offset; }
  void Copy(size_t offset, const std::string& bytes) {
    persist()->Copy(at(offset), bytes.data(), bytes.size());
  }

  // Returns n bytes at the offset as they are after a power cut.
  std::string After(Loss loss, Dice* dice, size_t offset, size_t n) {
    const PmemImages images = sim.AfterPowerLoss(loss, dice);
    return images.pools.at(0).files.at(0).bytes.Read(pool_offset + offset, n);
  }

  PmemSim sim;
  ScratchPool pool;
  PoolOffset pool_offset = kNoPoolOffset;
};

}  // namespace

TEST(PmemSim, WhatIsFencedStays) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  const std::string bytes = dice.Bytes(1000);
  bench.Copy(3, bytes);
  bench.persist()->Fence();
  memcpy(bench.at(2048), bytes.data(), bytes.size());
  bench.persist()->Flush(bench.at(2048), bytes.size());
  bench.persist()->Fence();
  for (const Loss loss : kAllLosses) {
    for (int i = 0; i < 20; i++) {
      EXPECT_EQ(bytes, bench.After(loss, &dice, 3, bytes.size()));
      EXPECT_EQ(bytes, bench.After(loss, &dice, 2048, bytes.size()));
    }
  }
}

TEST(PmemSim, WhatIsNotFencedMayGoOrStay) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  const std::string before(64, '\0');
  const std::string after(64, 'n');
  bench.Copy(0, after);
  memcpy(bench.at(64), after.data(), after.size());  // not even flushed
  EXPECT_EQ(before + before, bench.After(Loss::kDropAll, &dice, 0, 128));
  EXPECT_EQ(after + after, bench.After(Loss::kKeepAll, &dice, 0, 128));
  int lost = 0;
  int kept = 0;
  int torn = 0;
  for (int i = 0; i < 500; i++) {
    for (const size_t offset : {size_t{0}, size_t{64}}) {
      const std::string found = bench.After(Loss::kTear, &dice, offset, 64);
      lost += found == before;
      kept += found == after;
      torn += found != before && found != after;
      for (size_t word = 0; word < 64; word += 8) {
        EXPECT_TRUE(found.substr(word, 8) == before.substr(0, 8) ||
                    found.substr(word, 8) == after.substr(0, 8));
      }
    }
  }
  EXPECT_GT(lost, 0);
  EXPECT_GT(kept, 0);
  EXPECT_GT(torn, 0);
}

TEST(PmemSim, LinesAreKeptWholeUnlessTheyTear) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  bench.Copy(0, std::string(64, 'x'));
  for (int i = 0; i < 100; i++) {
    const std::string found = bench.After(Loss::kTruncate, &dice, 0, 64);
    EXPECT_TRUE(found == std::string(64, 'x') || found == std::string(64, '\0'));
  }
}

TEST(PmemSim, InOrderKeepsABeginning) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  for (size_t i = 0; i < 10; i++) bench.Copy(64 * i, "a");
  for (int i = 0; i < 100; i++) {
    const std::string found = bench.After(Loss::kInOrder, &dice, 0, 640);
    bool ended = false;
    for (size_t line = 0; line < 10; line++) {
      const bool there = found[64 * line] == 'a';
      EXPECT_FALSE(ended && there);
      ended = !there;
    }
  }
}

TEST(PmemSim, AFenceIsForItsOwnThread) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  bench.Copy(0, "mine");
  std::thread([&bench] {
    bench.persist()->Fence();
    EXPECT_TRUE(bench.persist()->Sync().ok());
  }).join();
  EXPECT_EQ(std::string(4, '\0'), bench.After(Loss::kDropAll, &dice, 0, 4));
  // Plain stores of one thread may be flushed by another.
  memcpy(bench.at(64), "both", 4);
  std::thread([&bench] {
    bench.persist()->Flush(bench.at(64), 4);
    bench.persist()->Fence();
  }).join();
  EXPECT_EQ("both", bench.After(Loss::kDropAll, &dice, 64, 4));
  bench.persist()->Fence();
  EXPECT_EQ("mine", bench.After(Loss::kDropAll, &dice, 0, 4));
}

TEST(PmemSim, ALateFenceBringsNothingOldBack) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  bench.Copy(0, "older...");
  std::thread([&bench] {
    bench.Copy(0, "newer...");
    bench.persist()->Fence();
  }).join();
  bench.persist()->Fence();
  for (const Loss loss : kAllLosses) EXPECT_EQ("newer...", bench.After(loss, &dice, 0, 8));
}

// One thread has flushed a line and not fenced it when another fences a newer word of that line:
// the older capture of the line may still become durable, but must not replace the newer word.
TEST(PmemSim, APendingLineTakesNothingBack) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  memcpy(bench.at(0), "flushed.", 8);
  bench.persist()->Flush(bench.at(0), 8);
  std::thread([&bench] {
    bench.Copy(8, "newer...");
    bench.persist()->Fence();
  }).join();
  for (int i = 0; i < 200; i++) {
    for (const Loss loss : kAllLosses) {
      ASSERT_EQ("newer...", bench.After(loss, &dice, 8, 8));
    }
  }
  // Also not after the fence has been applied.
  std::thread([&bench] { bench.Copy(16, "another."); }).join();
  for (int i = 0; i < 200; i++) {
    ASSERT_EQ("newer...", bench.After(Loss::kTear, &dice, 8, 8));
  }
}

// A process that is killed leaves its stores in their order, also if it goes on storing while the
// image is made.
TEST(PmemSim, AKillKeepsTheOrderOfStores) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  std::atomic<bool> done{false};
  std::thread writer([&bench, &done] {
    auto* const late = reinterpret_cast<uint64_t*>(bench.at(32768));
    auto* const early = reinterpret_cast<uint64_t*>(bench.at(0));
    for (uint64_t i = 1; !done.load(); i++) {
      std::atomic_ref<uint64_t>(*early).store(i);
      std::atomic_ref<uint64_t>(*late).store(i);
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
  });
  for (int i = 0; i < 50; i++) {
    const std::string found = bench.After(Loss::kKeepAll, &dice, 0, 32768 + 8);
    uint64_t early;
    uint64_t late;
    memcpy(&early, found.data(), sizeof(early));
    memcpy(&late, found.data() + 32768, sizeof(late));
    EXPECT_GE(early, late);
  }
  done.store(true);
  writer.join();
}

TEST(PmemSim, UnderMsyncOnlySyncCounts) {
  Bench bench(PmemSim::Model::kMsync);
  Dice dice(AnnouncedSeed());
  bench.Copy(0, "data");
  bench.persist()->Fence();
  EXPECT_EQ(std::string(4, '\0'), bench.After(Loss::kDropAll, &dice, 0, 4));
  std::thread([&bench] { EXPECT_TRUE(bench.persist()->Sync().ok()); }).join();
  EXPECT_EQ("data", bench.After(Loss::kDropAll, &dice, 0, 4));
}

// Tests the state at the end of a drain, where the pool is removed but still mapped.
TEST(PmemSim, OfARemovedPoolNothingIsLeft) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  bench.Copy(0, "fenced");
  bench.persist()->Fence();
  bench.Copy(64, "pending");
  ASSERT_TRUE(bench.pool.pool()->RemoveFiles().ok());
  for (const Loss loss : kAllLosses) {
    EXPECT_TRUE(bench.sim.AfterPowerLoss(loss, &dice).pools.at(0).files.empty());
  }
}

TEST(PmemSim, ImagesOpenAsPools) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  ASSERT_TRUE(bench.pool.pool()->root()->AddLog({5, bench.pool_offset, 77}).ok());
  const PmemImages images = bench.sim.AfterPowerLoss(Loss::kDropAll, &dice);
  ASSERT_TRUE(bench.pool.pool()->root()->RemoveLog(5).ok());
  bench.pool.Close();
  images.Restore();
  ASSERT_TRUE(bench.pool.Reopen().ok());
  EXPECT_EQ((std::vector<LogSlot>{{5, bench.pool_offset, 77}}), bench.pool.pool()->root()->Logs());
  bench.pool.Close();

  const TempDir elsewhere(Medium::kMemory);
  images.WriteTo(elsewhere.path());
  std::vector<std::string> pools;
  ASSERT_TRUE(Pool::ListPools(elsewhere.path(), &pools).ok());
  ASSERT_EQ(1u, pools.size());
  bench.pool.options()->path = pools[0];
  ASSERT_TRUE(bench.pool.Reopen().ok());
  EXPECT_EQ(1u, bench.pool.pool()->root()->Logs().size());
}

// Planted faults are noticed. In a small protocol blocks are written, fenced, and then counted by
// one published word. After a power cut every counted block must be whole.

namespace {

constexpr size_t kBlock = 200;
constexpr uint64_t kBlocks = 12;

// Runs the protocol. Returns how many of the cuts before every change found a counted block that
// was not whole, or fewer blocks than had been acknowledged.
int RunProtocol(Bench* bench, const std::vector<Loss>& losses, Dice* dice) {
  int failures = 0;
  uint64_t acknowledged = 0;
  const auto look = [&](uint64_t) {
    for (const Loss loss : losses) {
      const std::string found = bench->After(loss, dice, 0, 64 << 10);
      uint64_t count;
      memcpy(&count, found.data(), sizeof(count));
      bool whole = count >= acknowledged;
      for (uint64_t i = 0; i < std::min(count, kBlocks); i++) {
        whole = whole && found.substr(64 + i * kBlock, kBlock) ==
                             std::string(kBlock, static_cast<char>('a' + i % 26));
      }
      if (!whole) failures++;
    }
  };
  bench->sim.SetChangeListener(look);
  for (uint64_t i = 0; i < kBlocks; i++) {
    bench->Copy(64 + i * kBlock, std::string(kBlock, static_cast<char>('a' + i % 26)));
    bench->persist()->Fence();
    bench->persist()->Publish(reinterpret_cast<uint64_t*>(bench->at(0)), i + 1);
    bench->persist()->Fence();
    acknowledged = i + 1;
  }
  bench->sim.SetChangeListener({});
  look(0);
  return failures;
}

}  // namespace

TEST(PmemSim, ASoundProtocolPasses) {
  Bench bench;
  Dice dice(AnnouncedSeed());
  EXPECT_EQ(0, RunProtocol(&bench, {std::begin(kAllLosses), std::end(kAllLosses)}, &dice));
}

TEST(PmemSim, AMissingFenceIsCaught) {
  Dice dice(AnnouncedSeed());
  for (const uint64_t fence : {uint64_t{1}, uint64_t{2}, uint64_t{2 * kBlocks - 1}, 2 * kBlocks}) {
    Bench bench;
    bench.sim.SkipFences(fence);
    std::vector<Loss> losses(20, Loss::kTear);
    losses.push_back(Loss::kDropAll);
    EXPECT_GT(RunProtocol(&bench, losses, &dice), 0) << fence;
    EXPECT_EQ(2 * kBlocks, bench.sim.fences());
  }
}

TEST(PmemSim, AnEarlyPublishIsCaught) {
  Dice dice(AnnouncedSeed());
  for (const uint64_t publish : {uint64_t{1}, uint64_t{7}, kBlocks}) {
    Bench bench;
    bench.sim.PublishEarly(publish);
    EXPECT_GT(RunProtocol(&bench, {Loss::kDropAll}, &dice), 0) << publish;
    EXPECT_EQ(kBlocks, bench.sim.publishes());
  }
}

// The simulator sees the writes of libpmemobj.

TEST(PmemSim, SeesWhatLibpmemobjDoes) {
  PmemSim sim;
  ScratchPool pool(256 << 20, 64 << 10, sim.Factory());
  const uint64_t ours = pool.pool()->persist()->counts().fences;
  const uint64_t changes = sim.changes();
  ASSERT_TRUE(pool.pool()->Grow(0).ok());
  EXPECT_GT(sim.changes() - changes, pool.pool()->persist()->counts().fences - ours + 5);
}

}  // namespace testkit
}  // namespace leveldb
