// Parts that a user may replace are used as promised: the Env for every byte, the cache for blocks,
// the filter policy with the user's own keys.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "testing/contents.h"
#include "testing/power_env.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kEntries = 300;

std::string Key(int number) {
  return "key" + std::to_string(1000 + number);
}

void Fill(DB* db) {
  for (int i = 0; i < kEntries; ++i) {
    ASSERT_OK(db->Put(WriteOptions(), Key(i), std::string(200, 'v')));
  }
  db->CompactRange(nullptr, nullptr);
}

TEST(CustomParts, TheEnvSeesEveryByte) {
  const TempDir dir;
  PowerEnv memory;
  // The directory exists on the real file system, so that a file made there would be seen.
  ASSERT_OK(memory.CreateDir(dir.path()));
  Options options;
  options.env = &memory;
  options.create_if_missing = true;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, dir.path(), &opened));
  std::unique_ptr<DB> db(opened);
  Fill(db.get());
  db.reset();
  EXPECT_TRUE(FileNames(dir.path()).empty());
  std::vector<std::string> names;
  ASSERT_OK(memory.GetChildren(dir.path(), &names));
  EXPECT_GE(names.size(), 5u);
  ASSERT_OK(RepairDB(dir.path(), options));
  EXPECT_TRUE(FileNames(dir.path()).empty());
  ASSERT_OK(DestroyDB(dir.path(), options));
  EXPECT_FALSE(memory.FileExists(dir.path()));
}

// Forwards to an LRU cache and counts the calls.
class CountingCache : public Cache {
 public:
  Handle* Insert(const Slice& key, void* value, size_t charge,
                 void (*deleter)(const Slice& key, void* value)) override {
    ++inserted;
    return target_->Insert(key, value, charge, deleter);
  }
  Handle* Lookup(const Slice& key) override {
    Handle* const found = target_->Lookup(key);
    ++(found == nullptr ? missed : hit);
    return found;
  }
  void Release(Handle* handle) override { target_->Release(handle); }
  void* Value(Handle* handle) override { return target_->Value(handle); }
  void Erase(const Slice& key) override { target_->Erase(key); }
  uint64_t NewId() override { return target_->NewId(); }
  void Prune() override { target_->Prune(); }
  size_t TotalCharge() const override { return target_->TotalCharge(); }

  std::atomic<int> inserted{0};
  std::atomic<int> hit{0};
  std::atomic<int> missed{0};

 private:
  const std::unique_ptr<Cache> target_{NewLRUCache(1 << 20)};
};

TEST(CustomParts, TheCacheHoldsBlocks) {
  const TempDir dir;
  CountingCache cache;
  Options options;
  options.create_if_missing = true;
  options.block_cache = &cache;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, dir / "db", &opened));
  const std::unique_ptr<DB> db(opened);
  Fill(db.get());
  const auto read_all = [&db](bool fill_cache) {
    ReadOptions read_options;
    read_options.fill_cache = fill_cache;
    std::string value;
    for (int i = 0; i < kEntries; ++i) {
      ASSERT_OK(db->Get(read_options, Key(i), &value));
    }
  };
  cache.Prune();
  const int inserted_before = cache.inserted;
  read_all(false);
  EXPECT_EQ(cache.inserted, inserted_before) << "reads that shall not fill the cache";
  read_all(true);
  EXPECT_GT(cache.inserted, inserted_before);
  const int missed_before = cache.missed;
  read_all(true);
  EXPECT_EQ(cache.missed, missed_before) << "everything is in the cache by now";
  EXPECT_GT(cache.hit, 0);
  EXPECT_GT(cache.TotalCharge(), 0u);
}

// Matches no key that contains "7", whether it was added or not, and records the keys that it was
// given.
class NoSevens : public FilterPolicy {
 public:
  const char* Name() const override { return "test.NoSevens"; }

  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (int i = 0; i < n; ++i) {
      strange_keys_ += keys[i].size() == Key(0).size() ? 0 : 1;
      ++added_;
    }
    dst->append("filter");
  }

  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    const std::lock_guard<std::mutex> guard(mutex_);
    strange_keys_ += key.size() == Key(0).size() && filter == "filter" ? 0 : 1;
    ++asked_;
    return key.ToString().find('7') == std::string::npos;
  }

  int added() const { return added_; }
  int asked() const { return asked_; }
  int strange_keys() const { return strange_keys_; }

 private:
  mutable std::mutex mutex_;
  mutable int added_ = 0;
  mutable int asked_ = 0;
  mutable int strange_keys_ = 0;
};

TEST(CustomParts, TheFilterIsAskedWithTheKeysOfTheUser) {
  const TempDir dir;
  const NoSevens filter;
  Options options;
  options.create_if_missing = true;
  options.filter_policy = &filter;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, dir / "db", &opened));
  std::unique_ptr<DB> db(opened);
  Fill(db.get());
  EXPECT_GE(filter.added(), kEntries);
  for (int i = 0; i < kEntries; ++i) {
    std::string value;
    const Status status = db->Get(ReadOptions(), Key(i), &value);
    EXPECT_EQ(status.IsNotFound(), Key(i).find('7') != std::string::npos) << Key(i);
  }
  EXPECT_GE(filter.asked(), kEntries);
  EXPECT_EQ(filter.strange_keys(), 0) << "keys with something attached, or another's filter";

  // Tables whose filter was made by another policy, or by none, are read without it.
  db.reset();
  options.filter_policy = nullptr;
  ASSERT_OK(DB::Open(options, dir / "db", &opened));
  db.reset(opened);
  Contents contents;
  ASSERT_OK(ReadContents(db.get(), &contents));
  EXPECT_EQ(contents.size(), static_cast<size_t>(kEntries));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
