// One key has many versions, more than a leaf holds, each needed by some snapshot: every snapshot
// sees its own, through flushes, merges, value-log GC and spills.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kVersions = 1500;

struct Seen {
  const Snapshot* snapshot;
  int version;  // 0: deleted
};

// Returns `size` bytes that name the version.
std::string Value(int version, size_t size) {
  std::string value = std::to_string(version) + "/";
  value.resize(size, static_cast<char>('a' + version % 26));
  return value;
}

class VersionsOfOneKey : public ::testing::TestWithParam<size_t> {
 protected:
  void Check() {
    for (const Seen& seen : all_) {
      ReadOptions options;
      options.snapshot = seen.snapshot;
      std::string value;
      const Status status = store_.db()->Get(options, "key", &value);
      const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(options));
      iterator->Seek("key");
      if (seen.version == 0) {
        ASSERT_TRUE(status.IsNotFound()) << status.ToString() << value.substr(0, 10);
        ASSERT_TRUE(iterator->Valid());
        ASSERT_EQ(iterator->key().ToString(), "neighbour");
      } else {
        ASSERT_OK(status);
        ASSERT_EQ(value, Value(seen.version, GetParam()));
        ASSERT_TRUE(iterator->Valid()) << iterator->status().ToString();
        ASSERT_EQ(iterator->key().ToString(), "key");
        ASSERT_EQ(iterator->value().ToString(), value);
        iterator->Next();
        ASSERT_TRUE(iterator->Valid());
        ASSERT_EQ(iterator->key().ToString(), "neighbour");
      }
      iterator->Prev();
      ASSERT_TRUE(iterator->Valid());
      ASSERT_EQ(iterator->key().ToString(), seen.version == 0 ? "aaa" : "key");
      ASSERT_EQ(iterator->Valid(), true);
    }
  }

  void Release() {
    for (const Seen& seen : all_) {
      store_.db()->ReleaseSnapshot(seen.snapshot);
    }
    all_.clear();
  }

  TierStore store_;
  std::vector<Seen> all_;
};

TEST_P(VersionsOfOneKey, AreAllSeenByTheirSnapshots) {
  Dice dice(AnnouncedSeed());
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "aaa", "before"));
  ASSERT_OK(store_.db()->Put(WriteOptions(), "neighbour", "after"));
  for (int version = 1; version <= kVersions; ++version) {
    const bool deleted = dice.OneIn(20);
    if (deleted) {
      ASSERT_OK(store_.db()->Delete(WriteOptions(), "key"));
    } else {
      ASSERT_OK(store_.db()->Put(WriteOptions(), "key", Value(version, GetParam())));
    }
    if (dice.OneIn(4)) {
      all_.push_back(Seen{store_.db()->GetSnapshot(), deleted ? 0 : version});
    }
    if (version == kVersions / 3 || version == kVersions / 2) {
      store_.Flush();
      Check();
    }
  }
  Check();
  store_.Flush();
  Check();
  // Moves everything into one sorted level: versions of the key span leaves.
  store_.db()->CompactRange(nullptr, nullptr);
  Check();
  ASSERT_OK(store_.pmem_db()->Drain());
  Check();
  Release();
}

TEST_P(VersionsOfOneKey, GoWhenNobodyWantsThemAnyMore) {
  ASSERT_OK(store_.Open());
  for (int version = 1; version <= kVersions; ++version) {
    ASSERT_OK(store_.db()->Put(WriteOptions(), "key", Value(version, GetParam())));
  }
  store_.db()->CompactRange(nullptr, nullptr);
  // Approximate sizes reflect what is left.
  const Range range("a", "z");
  uint64_t size = 0;
  store_.db()->GetApproximateSizes(&range, 1, &size);
  EXPECT_LT(size, 20 * (GetParam() + 100));
  std::string value;
  ASSERT_OK(store_.db()->Get(ReadOptions(), "key", &value));
  EXPECT_EQ(value, Value(kVersions, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Of, VersionsOfOneKey, ::testing::Values(20, 100, 1000),
                         [](const auto& size) { return std::to_string(size.param) + "Bytes"; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
