#include "db/open/replayed_entries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "testing/comparators.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

class ReplayedEntriesTest : public testing::Test {
 protected:
  void Add(const std::string& key, ValueType type = kTypeValue) {
    keys_.push_back(key);
    values_.push_back("value " + std::to_string(keys_.size()));
    entries_.Add(keys_.size(), type, keys_.back(), values_.back());
    types_.push_back(type);
  }

  void Truncate(size_t size) {
    entries_.Truncate(size);
    keys_.resize(size);
    values_.resize(size);
    types_.resize(size);
  }

  // Checks the order of the entries, and that memtables filled in both ways contain all of them.
  void ExpectFilled(const Comparator* user_comparator = BytewiseComparator()) {
    const InternalKeyComparator comparator(user_comparator);
    EXPECT_EQ(ExpectedOrder(*user_comparator), entries_.Order(comparator));
    for (const bool with_thread : {false, true}) {
      MemTable memtable(&comparator);
      entries_.Fill(with_thread, &memtable);
      ExpectIn(memtable, std::min<size_t>(with_thread ? 2 : 1, keys_.size()));
    }
  }

  std::vector<uint32_t> ExpectedOrder(const Comparator& comparator) const {
    std::vector<uint32_t> order(keys_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t i, uint32_t j) {
      const int by_key = comparator.Compare(keys_[i], keys_[j]);
      return by_key != 0 ? by_key < 0 : i > j;  // the newer one first
    });
    return order;
  }

  // Checks that `memtable` has `parts` parts that are in order, and contains each entry and version
  // once.
  void ExpectIn(const MemTable& memtable, size_t parts) const {
    std::vector<InternalIterator*> iterators;
    memtable.AppendIterators(&iterators);
    EXPECT_EQ(parts, iterators.size());
    std::vector<bool> found(keys_.size());
    for (Iterator* each : iterators) {
      const std::unique_ptr<Iterator> iterator(each);
      std::string before;
      for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
        if (!before.empty()) {
          ASSERT_LT(memtable.comparator().Compare(before, iterator->key()), 0);
        }
        before = iterator->key().ToString();
        const size_t index = (ExtractTrailer(before) >> 8) - 1;
        ASSERT_LT(index, keys_.size());
        EXPECT_FALSE(found[index]);
        found[index] = true;
        EXPECT_EQ(keys_[index], ExtractUserKey(before).ToString());
      }
    }
    EXPECT_EQ(keys_.size(), std::count(found.begin(), found.end(), true));
    for (size_t i = 0; i < keys_.size(); i++) {
      ValueType type;
      Slice value;
      ASSERT_TRUE(memtable.Find(LookupKey(keys_[i], i + 1), &type, &value)) << i;
      EXPECT_EQ(types_[i], type);
      EXPECT_EQ(values_[i], value.ToString());
    }
  }

  ReplayedEntries entries_;
  std::deque<std::string> keys_;  // of write #1, #2 and so on
  std::deque<std::string> values_;
  std::vector<ValueType> types_;
};

TEST_F(ReplayedEntriesTest, None) {
  EXPECT_TRUE(entries_.empty());
  ExpectFilled();
}

TEST_F(ReplayedEntriesTest, VersionsOfOneKey) {
  for (int i = 0; i < 50; i++) Add("key", i % 3 == 0 ? kTypeDeletion : kTypeValue);
  ExpectFilled();
}

// The bytes after the end of a key initially count as zeros.
TEST_F(ReplayedEntriesTest, KeysThatEndWithZeros) {
  const std::string zeros(9, '\0');
  for (size_t length : {3, 0, 9, 1, 8, 2, 7}) Add("shared" + zeros.substr(0, length));
  Add("shared");
  Add("shared" + zeros.substr(0, 8) + "a");
  ExpectFilled();
}

TEST_F(ReplayedEntriesTest, KeysThatDifferBehindTheirDigests) {
  for (const char* key : {"0123456789b", "0123456789a", "01234567", "0123456789", "1"}) Add(key);
  ExpectFilled();
}

// Also truncates all entries, after which other keys share another prefix.
TEST_F(ReplayedEntriesTest, WhatIsTruncatedIsGone) {
  Add("abcd");
  Add("abc");
  Truncate(1);
  ExpectFilled();
  Truncate(0);
  ExpectFilled();
  for (const char* key : {"xyz1", "xyz0", "xyz"}) Add(key);
  ExpectFilled();
}

TEST_F(ReplayedEntriesTest, UnderAnotherOrderOfKeys) {
  for (int i = 0; i < 1000; i++) Add(std::to_string(i * 7919 % 500));
  ExpectFilled(testkit::ReverseComparator());
}

// After that key, what was known about the keys' bytes is no longer valid.
TEST_F(ReplayedEntriesTest, ALateKeyThatSharesNoPrefix) {
  for (int i = 0; i < 500; i++) Add("a prefix " + std::to_string(i * 7919 % 500));
  Add("b");
  for (int i = 0; i < 500; i++) Add("a prefix " + std::to_string(i * 7919 % 500));
  ExpectFilled();
  Truncate(501);
  ExpectFilled();
  Truncate(500);
  Add("a prefix of others");
  ExpectFilled();
}

// Checks whether a second thread was used.
TEST_F(ReplayedEntriesTest, AThreadHelpsWithMany) {
  const InternalKeyComparator comparator(BytewiseComparator());
  for (const size_t count : {9'999, 10'000}) {
    while (keys_.size() < count) Add(std::to_string(keys_.size()));
    MemTable memtable(&comparator);
    entries_.Fill(&memtable);
    ExpectIn(memtable, count < 10'000 || std::thread::hardware_concurrency() == 1 ? 1 : 2);
  }
}

// Uses more than one piece of entries, and drops some of them.
TEST_F(ReplayedEntriesTest, ManyOfAnyKind) {
  std::mt19937_64 random(testkit::AnnouncedSeed());
  const auto below = [&random](size_t n) { return static_cast<size_t>(random() % n); };
  const auto bytes = [&](size_t length, size_t kinds) {
    std::string key;
    while (key.size() < length) key += static_cast<char>(below(kinds));
    return key;
  };
  const std::vector<std::function<std::string()>> kinds = {
      [&] { return "0000000" + std::to_string(1'000'000 + below(9'000'000)); },
      [&] { return bytes(below(13), 256); },
      [&] { return bytes(below(13), 2); },
      [&] { return std::to_string(below(20)); },
  };
  const size_t most = static_cast<size_t>(testkit::Scaled(70'000));
  for (const auto& make_key : kinds) {
    Truncate(0);
    const auto fill_up = [&] {
      while (keys_.size() < most) Add(make_key(), below(4) == 0 ? kTypeDeletion : kTypeValue);
    };
    fill_up();
    Truncate(most - below(most));
    fill_up();
    ExpectFilled();
  }
}

}  // namespace
}  // namespace leveldb
