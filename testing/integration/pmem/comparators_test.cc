// A user's comparator decides which keys are equal and which is first: in the memtable, in trees,
// in merges and in tables. Where different bytes are the same key, no shortcut that compares bytes
// may miss it.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/filter_policy.h"
#include "testing/comparators.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kKeys = 500;

// Returns the key with letters of random case.
std::string Spelt(uint64_t number, Dice* dice) {
  std::string key = "some/key/" + std::to_string(1000 + number) + "/its/end";
  for (char& c : key) {
    if (c >= 'a' && c <= 'z' && dice->OneIn(2)) {
      c = static_cast<char>(c - 'a' + 'A');
    }
  }
  return key;
}

class CaseInsensitive : public ::testing::TestWithParam<bool> {
 protected:
  CaseInsensitive() : dice_(AnnouncedSeed()) {
    store_.options.comparator = CaseInsensitiveComparator();
    store_.options.filter_policy = GetParam() ? CaseInsensitiveFilter() : nullptr;
  }

  // Expects that every key has the value of the last round, or none, in whatever case it is read.
  void Check(int round, uint64_t deleted_every) {
    std::string value;
    uint64_t there = 0;
    for (uint64_t number = 0; number < kKeys; ++number) {
      const Status status = store_.db()->Get(ReadOptions(), Spelt(number, &dice_), &value);
      if (number % deleted_every == 0) {
        ASSERT_TRUE(status.IsNotFound()) << number << " " << status.ToString();
      } else {
        ASSERT_OK(status) << number;
        ASSERT_EQ(value.substr(0, value.find('/')), std::to_string(round)) << number;
        ++there;
      }
    }
    const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      --there;
    }
    ASSERT_OK(iterator->status());
    ASSERT_EQ(there, 0u);
    for (uint64_t number = 1; number < kKeys; number += 7) {
      iterator->Seek(Spelt(number, &dice_));
      ASSERT_TRUE(iterator->Valid());
    }
  }

  Dice dice_;
  TierStore store_;
};

TEST_P(CaseInsensitive, SpellingsAreOneKey) {
  ASSERT_OK(store_.Open());
  for (int round = 1; round <= 6; ++round) {
    for (uint64_t number = 0; number < kKeys; ++number) {
      ASSERT_OK(store_.db()->Put(WriteOptions(), Spelt(number, &dice_),
                                 std::to_string(round) + "/" + dice_.Text(dice_.Below(600))));
    }
    if (round % 2 == 0) {
      store_.Flush();
    }
    const uint64_t every = 3 + static_cast<uint64_t>(round);
    for (uint64_t number = 0; number < kKeys; number += every) {
      ASSERT_OK(store_.db()->Delete(WriteOptions(), Spelt(number, &dice_)));
    }
    Check(round, every);
    store_.Flush();
    Check(round, every);
    if (round == 3) {
      store_.db()->CompactRange(nullptr, nullptr);
      Check(round, every);
    }
    if (round == 4) {
      ASSERT_OK(store_.Check());
      ASSERT_OK(store_.Open());
      Check(round, every);
    }
  }
  ASSERT_OK(store_.pmem_db()->Drain());
  Check(6, 9);
}

INSTANTIATE_TEST_SUITE_P(Keys, CaseInsensitive, ::testing::Bool(), [](const auto& filter) {
  return filter.param ? "WithAFilter" : "WithoutAFilter";
});

TEST(ReverseOrder, IsKept) {
  TierStore store;
  store.options.comparator = ReverseComparator();
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  store.options.filter_policy = bloom.get();
  ASSERT_OK(store.Open());
  for (int i = 0; i < 2000; ++i) {
    ASSERT_OK(store.db()->Put(WriteOptions(), std::to_string(i * 7 % 2000), std::string(300, 'v')));
    if (i % 500 == 499) {
      store.Flush();
    }
  }
  const auto check = [&] {
    const std::unique_ptr<Iterator> iterator(store.db()->NewIterator(ReadOptions()));
    std::string last = "\xff";
    int count = 0;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      ASSERT_LT(iterator->key().ToString(), last);
      last = iterator->key().ToString();
      ++count;
    }
    ASSERT_EQ(count, 2000);
    iterator->Seek("1500x");
    ASSERT_TRUE(iterator->Valid());
    ASSERT_EQ(iterator->key().ToString(), "1500");
  };
  check();
  store.db()->CompactRange(nullptr, nullptr);
  check();
  ASSERT_OK(store.Open());
  check();
  // The tier does not make another comparator acceptable.
  store.options.comparator = BytewiseComparator();
  EXPECT_TRUE(store.Open().IsInvalidArgument());
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
