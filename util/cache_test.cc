#include "leveldb/cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "util/coding.h"
#include "util/random.h"

namespace leveldb {
namespace {

std::string KeyOf(int number) {
  std::string key;
  AppendFixed32(&key, static_cast<uint32_t>(number));
  return key;
}

// A cache from numbers to numbers that records the calls of its deleter.
class CacheTest : public testing::Test {
 protected:
  static constexpr size_t kCapacity = 1600;  // 100 for each of 16 shards.

  void SetUp() override { deleted_.clear(); }

  static void Deleter(const Slice& key, void* value) {
    deleted_.emplace_back(static_cast<int>(LoadFixed32(key.data())), ValueOf(value));
  }

  static void* Encode(int value) { return reinterpret_cast<void*>(static_cast<intptr_t>(value)); }
  static int ValueOf(void* value) { return static_cast<int>(reinterpret_cast<intptr_t>(value)); }

  Cache::Handle* InsertHeld(int key, int value, size_t charge = 1) {
    return cache_->Insert(KeyOf(key), Encode(value), charge, &Deleter);
  }

  void Insert(int key, int value, size_t charge = 1) {
    cache_->Release(InsertHeld(key, value, charge));
  }

  // Returns the value of key, or -1.
  int Lookup(int key) {
    Cache::Handle* const handle = cache_->Lookup(KeyOf(key));
    if (handle == nullptr) return -1;
    const int value = ValueOf(cache_->Value(handle));
    cache_->Release(handle);
    return value;
  }

  using Deleted = std::vector<std::pair<int, int>>;

  static Deleted deleted_;
  std::unique_ptr<Cache> cache_{NewLRUCache(kCapacity)};
};

CacheTest::Deleted CacheTest::deleted_;

TEST_F(CacheTest, HitsAndMisses) {
  EXPECT_EQ(Lookup(100), -1);
  Insert(100, 101);
  EXPECT_EQ(Lookup(100), 101);
  EXPECT_EQ(Lookup(200), -1);
  Insert(200, 201);
  EXPECT_EQ(Lookup(100), 101);
  EXPECT_EQ(Lookup(200), 201);
  EXPECT_TRUE(deleted_.empty());
}

TEST_F(CacheTest, InsertReplaces) {
  Insert(100, 101);
  Insert(100, 102);
  EXPECT_EQ(Lookup(100), 102);
  EXPECT_EQ(deleted_, (Deleted{{100, 101}}));
  EXPECT_EQ(cache_->TotalCharge(), 1u);
}

TEST_F(CacheTest, EraseForgets) {
  cache_->Erase(KeyOf(200));
  Insert(100, 101);
  Insert(200, 201);
  cache_->Erase(KeyOf(100));
  EXPECT_EQ(Lookup(100), -1);
  EXPECT_EQ(Lookup(200), 201);
  EXPECT_EQ(deleted_, (Deleted{{100, 101}}));
  cache_->Erase(KeyOf(100));
  EXPECT_EQ(deleted_.size(), 1u);
}

TEST_F(CacheTest, HeldEntriesOutliveReplacementAndErasure) {
  Insert(100, 101);
  Cache::Handle* const first = cache_->Lookup(KeyOf(100));
  Insert(100, 102);
  Cache::Handle* const second = cache_->Lookup(KeyOf(100));
  EXPECT_EQ(ValueOf(cache_->Value(first)), 101);
  EXPECT_EQ(ValueOf(cache_->Value(second)), 102);
  EXPECT_TRUE(deleted_.empty());
  cache_->Release(first);
  EXPECT_EQ(deleted_, (Deleted{{100, 101}}));
  cache_->Erase(KeyOf(100));
  EXPECT_EQ(Lookup(100), -1);
  EXPECT_EQ(deleted_.size(), 1u);
  cache_->Release(second);
  EXPECT_EQ(deleted_, (Deleted{{100, 101}, {100, 102}}));
}

TEST_F(CacheTest, SeveralHoldersOfOneEntry) {
  Cache::Handle* const first = InsertHeld(100, 101);
  Cache::Handle* const second = cache_->Lookup(KeyOf(100));
  cache_->Erase(KeyOf(100));
  cache_->Release(first);
  EXPECT_TRUE(deleted_.empty());
  cache_->Release(second);
  EXPECT_EQ(deleted_.size(), 1u);
}

TEST_F(CacheTest, UsedAndHeldEntriesStay) {
  Insert(100, 101);
  Insert(200, 201);
  Cache::Handle* const held = InsertHeld(300, 301);
  for (int i = 0; i < static_cast<int>(2 * kCapacity); i++) {
    Insert(1000 + i, 2000 + i);
    ASSERT_EQ(Lookup(1000 + i), 2000 + i);
    ASSERT_EQ(Lookup(100), 101);
  }
  EXPECT_EQ(Lookup(100), 101);
  EXPECT_EQ(Lookup(200), -1);
  EXPECT_EQ(Lookup(300), 301);
  EXPECT_LE(cache_->TotalCharge(), kCapacity);
  cache_->Release(held);
}

TEST_F(CacheTest, HeldEntriesMayExceedTheCapacity) {
  std::vector<Cache::Handle*> held;
  const int count = static_cast<int>(kCapacity) + 100;
  for (int i = 0; i < count; i++) held.push_back(InsertHeld(1000 + i, 2000 + i));
  for (int i = 0; i < count; i++) EXPECT_EQ(Lookup(1000 + i), 2000 + i);
  EXPECT_TRUE(deleted_.empty());
  EXPECT_EQ(cache_->TotalCharge(), static_cast<size_t>(count));
  for (Cache::Handle* const handle : held) cache_->Release(handle);
  // The next insertion in each shard evicts entries.
  for (int i = 0; i < 1000; i++) Insert(i, i);
  EXPECT_LE(cache_->TotalCharge(), kCapacity);
}

TEST_F(CacheTest, ChargesCount) {
  const int heavy = 20;
  int next = 0;
  for (size_t total = 0; total < 4 * kCapacity; next++) {
    const size_t charge = next % 2 == 0 ? 1 : heavy;
    Insert(next, 1000 + next, charge);
    total += charge;
    ASSERT_LE(cache_->TotalCharge(), kCapacity);
  }
  size_t found = 0;
  for (int i = 0; i < next; i++) {
    if (Lookup(i) < 0) continue;
    EXPECT_EQ(Lookup(i), 1000 + i);
    found += i % 2 == 0 ? 1 : heavy;
  }
  EXPECT_EQ(found, cache_->TotalCharge());
  EXPECT_GT(found, kCapacity / 2);
}

// Shards fill unevenly, so the cache has spare capacity, and only the very oldest entries are
// checked.
TEST_F(CacheTest, OldestGoesFirst) {
  const int count = 16 * 1000;
  cache_.reset(NewLRUCache(static_cast<size_t>(count + count / 10)));
  for (int i = 0; i < count; i++) Insert(i, i);
  for (int i = 0; i < count / 2; i++) Lookup(i);  // makes the older half the newer one
  for (int i = 0; i < count / 4; i++) Insert(count + i, i);
  for (int i = 0; i < count / 2; i++) ASSERT_EQ(Lookup(i), i);
  for (int i = count / 2; i < count / 2 + count / 32; i++) ASSERT_EQ(Lookup(i), -1);
}

TEST_F(CacheTest, PruneLeavesWhatIsHeld) {
  Insert(1, 100);
  Insert(2, 200);
  Cache::Handle* const held = cache_->Lookup(KeyOf(1));
  cache_->Prune();
  EXPECT_EQ(deleted_, (Deleted{{2, 200}}));
  EXPECT_EQ(cache_->TotalCharge(), 1u);
  cache_->Release(held);
  EXPECT_EQ(Lookup(1), 100);
  EXPECT_EQ(Lookup(2), -1);
}

TEST_F(CacheTest, WithoutCapacityNothingIsKept) {
  cache_.reset(NewLRUCache(0));
  Cache::Handle* const held = InsertHeld(1, 100);
  EXPECT_EQ(ValueOf(cache_->Value(held)), 100);
  EXPECT_EQ(Lookup(1), -1);
  EXPECT_EQ(cache_->TotalCharge(), 0u);
  cache_->Release(held);
  EXPECT_EQ(deleted_, (Deleted{{1, 100}}));
}

TEST_F(CacheTest, IdsDiffer) {
  const uint64_t first = cache_->NewId();
  EXPECT_NE(cache_->NewId(), first);
}

TEST_F(CacheTest, DestructionDeletesTheRest) {
  Insert(1, 100);
  Insert(2, 200);
  cache_.reset();
  EXPECT_EQ(deleted_.size(), 2u);
}

TEST_F(CacheTest, DeletersMayUseTheCache) {
  static Cache* inside = nullptr;
  inside = cache_.get();
  const auto deleter = [](const Slice& key, void*) { inside->Erase(key); };
  for (int i = 0; i < 3; i++) {
    cache_->Release(cache_->Insert(KeyOf(7), nullptr, 1, deleter));
  }
  cache_->Erase(KeyOf(7));
  EXPECT_EQ(cache_->TotalCharge(), 0u);
}

TEST_F(CacheTest, KeysOfAllLengths) {
  for (size_t n = 0; n < 100; n++) {
    const std::string key(n, 'k');
    cache_->Release(
        cache_->Insert(key, Encode(static_cast<int>(n)), 1, [](const Slice&, void*) {}));
  }
  for (size_t n = 0; n < 100; n++) {
    Cache::Handle* const handle = cache_->Lookup(std::string(n, 'k'));
    ASSERT_NE(handle, nullptr) << n;
    EXPECT_EQ(ValueOf(cache_->Value(handle)), static_cast<int>(n));
    cache_->Release(handle);
  }
}

// Threads insert, look up, hold, erase and prune few keys in a small cache: tests that every value
// is deleted exactly once, and never while it is held.
TEST(CacheConcurrencyTest, EveryValueDiesOnce) {
  struct Tracked {
    std::atomic<int>* alive;
    int key;
  };
  static const auto deleter = [](const Slice& key, void* value) {
    Tracked* const tracked = static_cast<Tracked*>(value);
    EXPECT_EQ(KeyOf(tracked->key), key.ToString());
    tracked->alive->fetch_sub(1);
    delete tracked;
  };
  std::atomic<int> alive{0};
  {
    const std::unique_ptr<Cache> cache(NewLRUCache(160));
    std::vector<std::thread> threads;
    for (uint64_t t = 0; t < 4; t++) {
      threads.emplace_back([&cache, &alive, t] {
        Random random(t);
        std::vector<Cache::Handle*> held;
        for (int i = 0; i < 20000; i++) {
          const int key = static_cast<int>(random.Uniform(300));
          Cache::Handle* handle = nullptr;
          if (random.OneIn(20)) cache->Erase(KeyOf(key));
          if (random.OneIn(2000)) cache->Prune();
          if (random.OneIn(3)) {
            alive.fetch_add(1);
            handle =
                cache->Insert(KeyOf(key), new Tracked{&alive, key}, 1 + random.Uniform(3), deleter);
          } else {
            handle = cache->Lookup(KeyOf(key));
          }
          if (handle == nullptr) continue;
          EXPECT_EQ(static_cast<Tracked*>(cache->Value(handle))->key, key);
          held.push_back(handle);
          if (held.size() > 5) {
            const size_t victim = random.Uniform(held.size());
            cache->Release(held[victim]);
            held.erase(held.begin() + static_cast<ptrdiff_t>(victim));
          }
        }
        for (Cache::Handle* const handle : held) cache->Release(handle);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_GT(alive.load(), 0);
  }
  EXPECT_EQ(alive.load(), 0);
}

}  // namespace
}  // namespace leveldb
