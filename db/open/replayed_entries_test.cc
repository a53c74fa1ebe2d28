#include "db/open/replayed_entries.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

class BackwardComparator : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override { return b.compare(a); }
  const char* Name() const override { return "backward"; }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

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

  // Expects a memtable filled with them to have `parts` parts that are in order, and each of them
  // once.
  void ExpectFilled(size_t parts, const Comparator* user_comparator = BytewiseComparator()) {
    const InternalKeyComparator comparator(user_comparator);
    MemTable memtable(&comparator);
    entries_.Fill(&memtable);
    EXPECT_EQ(keys_.size(), memtable.num_entries());
    std::vector<Iterator*> iterators;
    memtable.AppendIterators(&iterators);
    EXPECT_EQ(parts, iterators.size());
    std::vector<bool> found(keys_.size());
    for (Iterator* each : iterators) {
      const std::unique_ptr<Iterator> iterator(each);
      std::string before;
      for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
        if (!before.empty()) {
          ASSERT_LT(comparator.Compare(before, iterator->key()), 0);
        }
        before = iterator->key().ToString();
        const size_t index = (ExtractTrailer(before) >> 8) - 1;
        ASSERT_LT(index, keys_.size());
        EXPECT_FALSE(found[index]);
        found[index] = true;
        EXPECT_EQ(types_[index], ExtractTrailer(before) & 0xff);
        EXPECT_EQ(keys_[index], ExtractUserKey(before).ToString());
        EXPECT_EQ(values_[index], iterator->value().ToString());
      }
    }
  }

  ReplayedEntries entries_;
  std::deque<std::string> keys_;  // of write #1, #2 and so on
  std::deque<std::string> values_;
  std::vector<ValueType> types_;
};

TEST_F(ReplayedEntriesTest, None) {
  EXPECT_TRUE(entries_.empty());
  ExpectFilled(0);
}

TEST_F(ReplayedEntriesTest, VersionsOfOneKey) {
  for (int i = 0; i < 50; i++) Add("key", i % 3 == 0 ? kTypeDeletion : kTypeValue);
  ExpectFilled(1);
}

// The bytes behind the end of a key count as zeros at first.
TEST_F(ReplayedEntriesTest, KeysThatEndWithZeros) {
  const std::string zeros(9, '\0');
  for (size_t length : {3, 0, 9, 1, 8, 2, 7}) Add("shared" + zeros.substr(0, length));
  Add("shared");
  Add("shared" + zeros.substr(0, 8) + "a");
  ExpectFilled(1);
}

TEST_F(ReplayedEntriesTest, KeysThatDifferBehindTheirDigests) {
  for (const char* key : {"0123456789b", "0123456789a", "01234567", "0123456789", "1"}) Add(key);
  ExpectFilled(1);
}

// Also all, behind which other keys share another prefix.
TEST_F(ReplayedEntriesTest, WhatIsTruncatedIsGone) {
  Add("abcd");
  Add("abc");
  Truncate(1);
  ExpectFilled(1);
  Truncate(0);
  ExpectFilled(0);
  for (const char* key : {"xyz1", "xyz0", "xyz"}) Add(key);
  ExpectFilled(1);
}

TEST_F(ReplayedEntriesTest, UnderAnotherOrderOfKeys) {
  const BackwardComparator backward;
  for (int i = 0; i < 1000; i++) Add(std::to_string(i * 7919 % 500));
  ExpectFilled(1, &backward);
}

// Far more than those from which on a thread helps.
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
  for (const auto& make_key : kinds) {
    Truncate(0);
    const size_t count = 30'000 + below(1000);
    for (size_t i = 0; i < count; i++) Add(make_key(), below(4) == 0 ? kTypeDeletion : kTypeValue);
    ExpectFilled(std::thread::hardware_concurrency() > 1 ? 2 : 1);
  }
}

}  // namespace
}  // namespace leveldb
