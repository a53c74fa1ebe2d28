#include "pmem/media/extents.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "testing/dice.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {

namespace {

using testkit::Dice;
using testkit::ScratchPool;

constexpr uint64_t kTiny = 8 << 20;
constexpr uint64_t kSmall = 64 << 20;
constexpr uint64_t kExtent = 64 << 10;

// Reserves all extents, one at a time.
std::vector<PoolOffset> TakeAll(Extents* extents) {
  std::vector<PoolOffset> taken;
  PoolOffset pool_offset;
  while (extents->free_bytes() > 0) {
    const Status s = extents->Reserve(1, &pool_offset);
    EXPECT_TRUE(s.ok()) << s.ToString();
    if (!s.ok()) break;
    taken.push_back(pool_offset);
  }
  return taken;
}

}  // namespace

TEST(Extents, OffsetsAreAlignedAndInsideThePool) {
  for (const uint64_t extent : {uint64_t{64} << 10, uint64_t{256} << 10, uint64_t{1} << 20}) {
    ScratchPool pool(kSmall, extent);
    std::map<PoolOffset, int> seen;
    for (const PoolOffset pool_offset : TakeAll(pool.extents())) {
      EXPECT_EQ(0u, pool_offset % extent);
      EXPECT_TRUE(pool.pool()->Contains(pool_offset, extent));
      EXPECT_EQ(1, ++seen[pool_offset]);
      memset(pool.pool()->At(pool_offset), 0x5a, extent);
    }
    EXPECT_EQ(pool.extents()->used_bytes(), seen.size() * extent);
    // Not usable: what libpmemobj needs, and parts of an extent at both ends of a slab.
    EXPECT_GT(seen.size() * extent, kSmall - (6 << 20) - extent);
    EXPECT_TRUE(pool.Reopen().ok());
  }
}

TEST(Extents, CountsReferences) {
  ScratchPool pool(kTiny, kExtent);
  Extents* const extents = pool.extents();
  PoolOffset run;
  ASSERT_TRUE(extents->Reserve(3, &run).ok());
  EXPECT_EQ(3 * kExtent, extents->used_bytes());
  extents->AddReference(run, 3);
  extents->AddReference(run + kExtent);
  EXPECT_EQ(2u, extents->references(run));
  EXPECT_EQ(3u, extents->references(run + kExtent));
  extents->Release(run, 3);
  extents->Release(run, 3);
  EXPECT_EQ(0u, extents->references(run));
  EXPECT_EQ(1u, extents->references(run + kExtent));
  EXPECT_EQ(kExtent, extents->used_bytes());
  extents->Release(run + kExtent);
  EXPECT_EQ(0u, extents->used_bytes());
  EXPECT_EQ(0u, extents->references(~PoolOffset{0}));
}

TEST(Extents, ANotedSaltIsForgottenWhenTheExtentIsGivenOutAnew) {
  ScratchPool pool(kTiny, kExtent);
  PoolOffset extent;
  ASSERT_TRUE(pool.extents()->Reserve(1, &extent).ok());
  EXPECT_EQ(0u, pool.extents()->value_salt(extent));
  EXPECT_EQ(0u, pool.extents()->value_salt(~PoolOffset{0}));
  pool.extents()->NoteValueSalt(extent, 77);
  EXPECT_EQ(77u, pool.extents()->value_salt(extent));
  pool.extents()->AddReference(extent);
  pool.extents()->Release(extent);
  EXPECT_EQ(77u, pool.extents()->value_salt(extent));
  pool.extents()->Release(extent);
  PoolOffset again;
  ASSERT_TRUE(pool.extents()->Reserve(1, &again).ok());
  ASSERT_EQ(extent, again);
  EXPECT_EQ(0u, pool.extents()->value_salt(extent));
}

TEST(Extents, WhatWasUsedIsGivenOutFirst) {
  ScratchPool pool(kTiny, kExtent);
  Extents* const extents = pool.extents();
  PoolOffset first;
  PoolOffset second;
  PoolOffset third;
  ASSERT_TRUE(extents->Reserve(1, &first).ok());
  ASSERT_TRUE(extents->Reserve(1, &second).ok());
  extents->Release(second);
  ASSERT_TRUE(extents->Reserve(1, &third).ok());
  EXPECT_EQ(second, third);
  // The same holds for runs, as far as there are any.
  PoolOffset run;
  ASSERT_TRUE(extents->Reserve(4, &run).ok());
  PoolOffset another_run;
  ASSERT_TRUE(extents->Reserve(2, &another_run).ok());
  extents->Release(run, 4);
  ASSERT_TRUE(extents->Reserve(2, &another_run).ok());
  EXPECT_EQ(run, another_run);
  ASSERT_TRUE(extents->Reserve(3, &another_run).ok());
  EXPECT_LT(run + 3 * kExtent, another_run);
}

TEST(Extents, AFullPoolSaysWhatToDo) {
  ScratchPool pool(kTiny, kExtent);
  Extents* const extents = pool.extents();
  const std::vector<PoolOffset> all = TakeAll(extents);
  PoolOffset pool_offset;
  const Status s = extents->Reserve(1, &pool_offset);
  EXPECT_TRUE(s.IsIOError());
  for (const char* const word : {"is full", "3 MiB of 3 MiB", "no 64 KiB", "ceiling",
                                 "close iterators", "larger size", "spilling", "drain"}) {
    EXPECT_NE(std::string::npos, s.ToString().find(word)) << s.ToString();
  }
  EXPECT_NE(std::string::npos, s.ToString().find(pool.path())) << s.ToString();
  EXPECT_DOUBLE_EQ(1.0, extents->use());
  extents->Release(all[5]);
  EXPECT_TRUE(extents->Reserve(1, &pool_offset).ok());
  EXPECT_EQ(all[5], pool_offset);
  // These are free, but not adjacent.
  extents->Release(all[1]);
  extents->Release(all[3]);
  EXPECT_EQ(kExtent, extents->largest_free_run());
  EXPECT_TRUE(extents->Reserve(2, &pool_offset).IsIOError());
  extents->Release(all[2]);
  EXPECT_EQ(3 * kExtent, extents->largest_free_run());
  EXPECT_TRUE(extents->Reserve(3, &pool_offset).ok());
}

TEST(Extents, ThePoolGrowsWhenNeeded) {
  ScratchPool pool(256 << 20, kExtent);
  Extents* const extents = pool.extents();
  const uint64_t capacity = extents->capacity_bytes();
  const uint64_t at_first = extents->free_bytes();
  EXPECT_LT(at_first, 64u << 20);
  EXPECT_GT(capacity, 240u << 20);
  std::vector<PoolOffset> taken = TakeAll(extents);
  EXPECT_NEAR(0.25, extents->use(), 0.02);
  PoolOffset run;
  ASSERT_TRUE(extents->Reserve(16, &run).ok());
  EXPECT_GT(extents->free_bytes() + extents->used_bytes(), at_first);
  // Reserves a run larger than the usual step.
  ASSERT_TRUE(extents->Reserve((80 << 20) / kExtent, &run).ok());
  memset(pool.pool()->At(run), 1, 80 << 20);
  while (extents->Reserve(1, &run).ok()) taken.push_back(run);
  EXPECT_GE(extents->used_bytes() + (1 << 20), capacity);
  EXPECT_LE(pool.pool()->size(), 256u << 20);
}

TEST(Extents, HeldReleasesWait) {
  ScratchPool pool(kTiny, kExtent);
  Extents* const extents = pool.extents();
  PoolOffset pool_offset;
  PoolOffset other;
  ASSERT_TRUE(extents->Reserve(1, &pool_offset).ok());
  extents->HoldReleases(true);
  extents->Release(pool_offset);
  EXPECT_EQ(kExtent, extents->used_bytes());
  EXPECT_EQ(0u, extents->references(pool_offset));
  ASSERT_TRUE(extents->Reserve(1, &other).ok());
  EXPECT_NE(pool_offset, other);
  extents->HoldReleases(false);
  EXPECT_EQ(kExtent, extents->used_bytes());
  PoolOffset again;
  ASSERT_TRUE(extents->Reserve(1, &again).ok());
  EXPECT_EQ(pool_offset, again);
}

TEST(Extents, MarkUsedAtOpening) {
  ScratchPool pool(kTiny, kExtent);
  PoolOffset run;
  ASSERT_TRUE(pool.extents()->Reserve(4, &run).ok());
  ASSERT_TRUE(pool.Reopen().ok());
  Extents* const extents = pool.extents();
  EXPECT_EQ(0u, extents->used_bytes());
  ASSERT_TRUE(extents->MarkUsed(run, 2).ok());
  ASSERT_TRUE(extents->MarkUsed(run + kExtent, 2).ok());
  EXPECT_EQ(1u, extents->references(run));
  EXPECT_EQ(2u, extents->references(run + kExtent));
  EXPECT_EQ(1u, extents->references(run + 2 * kExtent));
  EXPECT_EQ(3 * kExtent, extents->used_bytes());
  for (const PoolOffset pool_offset :
       {PoolOffset{0}, run + 1, PoolOffset{kTiny}, ~PoolOffset{0}, ~PoolOffset{0} - kExtent + 1}) {
    EXPECT_TRUE(extents->MarkUsed(pool_offset).IsCorruption()) << pool_offset;
  }
  EXPECT_TRUE(extents->MarkUsed(run, 1000).IsCorruption());
  EXPECT_TRUE(extents->MarkUsed(run, ~uint32_t{0}).IsCorruption());
  EXPECT_EQ(3 * kExtent, extents->used_bytes());
}

TEST(Extents, PrefaultsUntilEnoughIsReady) {
  ScratchPool pool(1 << 30, 1 << 20);
  Extents* const extents = pool.extents();
  const uint64_t size = pool.pool()->size();
  const auto prefault = [extents] {
    int steps = 0;
    while (extents->PrefaultStep()) steps++;
    return steps;
  };
  EXPECT_EQ(32, prefault());
  EXPECT_FALSE(extents->PrefaultStep());
  EXPECT_EQ(0u, extents->used_bytes());
  EXPECT_EQ(size, pool.pool()->size());
  // Extents that were touched are reserved first, so as many are touched again.
  PoolOffset run;
  ASSERT_TRUE(extents->Reserve(20, &run).ok());
  EXPECT_EQ(20, prefault());
  EXPECT_EQ(size, pool.pool()->size());
  // With little space left, the pool grows before a writer must wait for it.
  ASSERT_TRUE(extents->Reserve(20, &run).ok());
  EXPECT_EQ(1 + 20, prefault());
  EXPECT_LT(size, pool.pool()->size());
}

TEST(Extents, PrefaultsForWhoTakesMoreUntilTheNextTime) {
  constexpr uint64_t kMuch = 48 << 20;
  ScratchPool pool(1 << 30, 1 << 20);
  int steps = 0;
  while (pool.extents()->PrefaultStep(kMuch)) steps++;
  EXPECT_EQ(48, steps);
  EXPECT_FALSE(pool.extents()->PrefaultStep());

  // Only a part of a small pool is prefaulted.
  ScratchPool small_pool(256 << 20, 1 << 20);
  const auto eighth = static_cast<int>(small_pool.extents()->capacity_bytes() / 8 >> 20);
  steps = 0;
  while (small_pool.extents()->PrefaultStep(kMuch)) steps++;
  EXPECT_LE(eighth, steps);
  EXPECT_GE(eighth + 1, steps);
}

TEST(Extents, PrefaultChangesNothing) {
  ScratchPool pool(kTiny, kExtent);
  std::vector<PoolOffset> all = TakeAll(pool.extents());
  for (const PoolOffset pool_offset : all) memset(pool.pool()->At(pool_offset), 'v', kExtent);
  ASSERT_TRUE(pool.Reopen().ok());
  while (pool.extents()->PrefaultStep()) {
  }
  for (const PoolOffset pool_offset : all) {
    EXPECT_EQ(std::string(kExtent, 'v'), std::string(pool.pool()->At(pool_offset), kExtent));
  }
}

TEST(Extents, RandomOperationsAgainstAModel) {
  Dice dice(testkit::AnnouncedSeed());
  ScratchPool pool(kTiny, kExtent);
  Extents* const extents = pool.extents();
  const uint64_t capacity = extents->capacity_bytes();
  std::map<PoolOffset, uint32_t> model;
  bool held = false;
  uint64_t held_extents = 0;
  for (int step = 0; step < testkit::Scaled(20000); step++) {
    PoolOffset pool_offset = kNoPoolOffset;
    if (!model.empty()) {
      auto entry = model.lower_bound(dice.Below(kTiny));
      if (entry == model.end()) entry = model.begin();
      pool_offset = entry->first;
    }
    switch (dice.Below(8)) {
      case 0:
      case 1:
      case 2: {
        const uint32_t count = static_cast<uint32_t>(dice.Between(1, dice.OneIn(4) ? 12 : 2));
        PoolOffset run;
        const uint64_t largest = extents->largest_free_run();
        const Status s = extents->Reserve(count, &run);
        ASSERT_EQ(largest >= count * kExtent, s.ok()) << s.ToString();
        for (uint32_t i = 0; s.ok() && i < count; i++) {
          ASSERT_TRUE(model.emplace(run + i * kExtent, 1).second);
        }
        break;
      }
      case 3:
        if (pool_offset == kNoPoolOffset) break;
        extents->AddReference(pool_offset);
        model[pool_offset]++;
        break;
      case 4:
      case 5:
      case 6:
        if (pool_offset == kNoPoolOffset) break;
        extents->Release(pool_offset);
        if (--model[pool_offset] == 0) {
          model.erase(pool_offset);
          held_extents += held;
        }
        break;
      case 7:
        if (!dice.OneIn(20)) break;
        held = !held;
        extents->HoldReleases(held);
        held_extents = 0;
        break;
    }
    ASSERT_EQ((model.size() + held_extents) * kExtent, extents->used_bytes());
    ASSERT_EQ(capacity, extents->used_bytes() + extents->free_bytes());
    if (pool_offset != kNoPoolOffset) {
      const auto entry = model.find(pool_offset);
      ASSERT_EQ(entry == model.end() ? 0 : entry->second, extents->references(pool_offset));
    }
  }
}

TEST(Extents, ManyThreads) {
  ScratchPool pool(512 << 20, kExtent);
  Extents* const extents = pool.extents();
  std::atomic<bool> done{false};
  std::thread prefaulter([&] {
    while (!done.load()) {
      if (!extents->PrefaultStep()) std::this_thread::yield();
    }
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&pool, extents, t] {
      Dice dice(static_cast<uint64_t>(t));
      std::vector<std::pair<PoolOffset, uint32_t>> mine;
      for (int i = 0; i < 1500; i++) {
        const uint32_t count = static_cast<uint32_t>(dice.Between(1, 5));
        PoolOffset run;
        const Status s = extents->Reserve(count, &run);
        if (s.ok()) {
          // No other thread has the extents.
          for (uint32_t e = 0; e < count; e++) {
            memset(pool.pool()->At(run + e * kExtent), t, 128);
          }
          mine.emplace_back(run, count);
        }
        if (!s.ok() || (mine.size() > 200 && dice.OneIn(2))) {
          const size_t which = dice.Below(mine.size());
          for (uint32_t e = 0; e < mine[which].second; e++) {
            EXPECT_EQ(t, *pool.pool()->At(mine[which].first + e * kExtent + 100));
          }
          extents->Release(mine[which].first, mine[which].second);
          mine.erase(mine.begin() + static_cast<ptrdiff_t>(which));
        }
      }
      for (const auto& [run, count] : mine) extents->Release(run, count);
    });
  }
  for (std::thread& thread : threads) thread.join();
  done.store(true);
  prefaulter.join();
  EXPECT_EQ(0u, extents->used_bytes());
}

}  // namespace leveldb
