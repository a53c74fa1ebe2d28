#include "db/mem/memtable.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "entry/value_ref.h"

namespace leveldb {
namespace {

class MemTableTest : public testing::Test {
 protected:
  // Returns "value", "(deleted)" or "(none)".
  std::string Get(const Slice& key, SequenceNumber sequence) const {
    ValueType type;
    Slice value;
    if (!memtable_.Find(LookupKey(key, sequence), &type, &value)) return "(none)";
    return type == kTypeDeletion ? "(deleted)" : value.ToString();
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  MemTable memtable_{&comparator_};
};

TEST_F(MemTableTest, EachSequenceSeesItsVersion) {
  EXPECT_TRUE(memtable_.empty());
  memtable_.Add(1, kTypeValue, "k", "one");
  memtable_.Add(3, kTypeDeletion, "k", "");
  memtable_.Add(5, kTypeValue, "k", "five");
  memtable_.Add(6, kTypeValue, "", "empty key");
  memtable_.Add(7, kTypeValue, "z", "");
  EXPECT_EQ(5u, memtable_.num_entries());
  EXPECT_EQ("(none)", Get("k", 0));
  EXPECT_EQ("one", Get("k", 1));
  EXPECT_EQ("one", Get("k", 2));
  EXPECT_EQ("(deleted)", Get("k", 4));
  EXPECT_EQ("five", Get("k", kMaxSequenceNumber));
  EXPECT_EQ("empty key", Get("", 6));
  EXPECT_EQ("", Get("z", 7));
  EXPECT_EQ("(none)", Get("z", 6));
  EXPECT_EQ("(none)", Get("kk", 9));
  EXPECT_EQ("(none)", Get("zz", 9));
}

TEST_F(MemTableTest, AHintServesOneEntryAfterTheOther) {
  MemTable::InsertHint hint;
  for (int i = 1; i <= 300; i++) {
    const std::string key = std::to_string(i * 7919 % 100);
    if (i % 3 > 0) memtable_.Begin(key, 0, &hint);
    if (i % 3 > 1) memtable_.Advance(0, &hint);
    EXPECT_EQ(i - 100 < 1 ? "(none)" : std::to_string(i - 100), Get(key, kMaxSequenceNumber));
    memtable_.Add(i, kTypeValue, key, std::to_string(i), 0, &hint);
    EXPECT_EQ(std::to_string(i), Get(key, kMaxSequenceNumber));
  }
  EXPECT_EQ(300u, memtable_.num_entries());
}

TEST_F(MemTableTest, AHintThatBeginsAnewForgetsWhereItWas) {
  for (int i = 0; i < 500; i++) memtable_.Add(1, kTypeValue, std::to_string(i), "v");
  MemTable::InsertHint hint;
  memtable_.Begin("17", 0, &hint);
  memtable_.Advance(0, &hint);
  memtable_.Begin("480x", 0, &hint);
  memtable_.Add(2, kTypeValue, "480x", "new", 0, &hint);
  EXPECT_EQ("new", Get("480x", kMaxSequenceNumber));
}

TEST_F(MemTableTest, IsEmptyUntilSomethingIsAdded) {
  EXPECT_TRUE(memtable_.empty());
  memtable_.Add(1, kTypeDeletion, "", "");
  EXPECT_FALSE(memtable_.empty());
  for (int i = 0; i < 200; i++) memtable_.Add(1, kTypeValue, std::to_string(i), "v");
  EXPECT_FALSE(memtable_.empty());
}

TEST_F(MemTableTest, PrefetchingForAKeyChangesNothing) {
  memtable_.PrefetchForAdd("k", 0);
  for (int i = 0; i < 200; i++) memtable_.Add(1, kTypeValue, std::to_string(i), "v");
  for (const char* key : {"", "0", "1999", "57", "z"}) memtable_.PrefetchForAdd(key, 0);
  EXPECT_EQ(200u, memtable_.num_entries());
  EXPECT_EQ("v", Get("57", 1));
  EXPECT_EQ("(none)", Get("z", 1));
}

TEST_F(MemTableTest, TheNewestVersionIsFoundInWhicheverPartItIs) {
  memtable_.Add(1, kTypeValue, "k", "one", 0);
  memtable_.Add(2, kTypeValue, "k", "two", 1);
  memtable_.Add(3, kTypeDeletion, "k", "", 0);
  memtable_.Add(4, kTypeValue, "k", "four", 0);
  memtable_.Add(5, kTypeValue, "k", "five", 1);
  memtable_.Add(6, kTypeValue, "only in one", "six", 1);
  const char* const seen[] = {"(none)", "one", "two", "(deleted)", "four", "five", "five"};
  for (SequenceNumber sequence = 0; sequence <= 6; sequence++) {
    EXPECT_EQ(seen[sequence], Get("k", sequence));
  }
  EXPECT_EQ("six", Get("only in one", 6));
  EXPECT_EQ("(none)", Get("only in one", 5));
}

TEST_F(MemTableTest, APartIsNoReasonToBeEmpty) {
  memtable_.Add(1, kTypeValue, "key", "value", 1);
  EXPECT_FALSE(memtable_.empty());
  EXPECT_EQ(1u, memtable_.num_entries());
  EXPECT_EQ(0u, memtable_.UserBytes(0));
  EXPECT_EQ(8u, memtable_.UserBytes(1));
  EXPECT_EQ(8u, memtable_.UserBytes());
  memtable_.Add(2, kTypeValue, "key", "value", 0);
  EXPECT_EQ(16u, memtable_.UserBytes());
  EXPECT_EQ(memtable_.MemoryUsage(0) + memtable_.MemoryUsage(1), memtable_.MemoryUsage());
}

TEST_F(MemTableTest, OnlyPartsWithEntriesHaveIterators) {
  std::vector<InternalIterator*> iterators;
  memtable_.AppendIterators(&iterators);
  EXPECT_EQ(0u, iterators.size());
  memtable_.Add(1, kTypeValue, "key", "value", 1);
  memtable_.AppendIterators(&iterators);
  ASSERT_EQ(1u, iterators.size());
  memtable_.Add(2, kTypeValue, "key", "value", 0);
  memtable_.AppendIterators(&iterators);
  EXPECT_EQ(3u, iterators.size());
  for (Iterator* const iterator : iterators) delete iterator;
}

TEST_F(MemTableTest, IteratesOverAllVersionsBothWays) {
  const std::string big(100000, 'v');
  memtable_.Add(1, kTypeValue, "b", big);
  memtable_.Add(2, kTypeValue, "a", "old");
  memtable_.Add(3, kTypeDeletion, "a", "");
  std::vector<InternalIterator*> parts;
  memtable_.AppendIterators(&parts);
  ASSERT_EQ(1u, parts.size());
  const std::unique_ptr<Iterator> it(parts[0]);
  EXPECT_FALSE(it->Valid());
  it->SeekToFirst();
  EXPECT_EQ(InternalKey("a", 3, kTypeDeletion).Encode().ToString(), it->key().ToString());
  it->Next();
  EXPECT_EQ("old", it->value().ToString());
  it->Next();
  EXPECT_EQ(big, it->value().ToString());
  it->Prev();
  EXPECT_EQ("old", it->value().ToString());
  it->Seek(InternalKey("a", 2, kSeekType).Encode());
  EXPECT_EQ("old", it->value().ToString());
  it->SeekToLast();
  EXPECT_EQ(big, it->value().ToString());
  it->Next();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().ok());
}

TEST_F(MemTableTest, MemoryUsageCoversWhatWasAdded) {
  const size_t before = memtable_.MemoryUsage();
  memtable_.Add(1, kTypeValue, "key", std::string(1 << 20, 'x'));
  EXPECT_GE(memtable_.MemoryUsage(), before + (1 << 20));
  EXPECT_LT(memtable_.MemoryUsage(), before + (1 << 20) + 8192);
}

TEST_F(MemTableTest, UserBytesAreThoseOfKeysAndWholeValues) {
  EXPECT_EQ(0u, memtable_.UserBytes());
  memtable_.Add(1, kTypeValue, "key", "value");
  EXPECT_EQ(8u, memtable_.UserBytes());
  memtable_.Add(2, kTypeDeletion, "key", "");
  EXPECT_EQ(11u, memtable_.UserBytes());
  char reference[kValueRefSize];
  EncodeValueRef({.pool_offset = 64, .length = 5000, .crc = 1}, reference);
  memtable_.Add(3, kTypeValueRef, "ref", Slice(reference, sizeof(reference)));
  EXPECT_EQ(5014u, memtable_.UserBytes());
  ValueType type;
  Slice value;
  ASSERT_TRUE(memtable_.Find(LookupKey("ref", 3), &type, &value));
  EXPECT_EQ(kTypeValueRef, type);
  EXPECT_EQ(Slice(reference, sizeof(reference)), value);
}

TEST_F(MemTableTest, WhatItHoldsGoesWithIt) {
  const auto resource = std::make_shared<int>(1);
  {
    MemTable memtable(&comparator_);
    memtable.Hold(resource);
    memtable.Hold(resource);
    EXPECT_EQ(3, resource.use_count());
  }
  EXPECT_EQ(1, resource.use_count());
}

}  // namespace
}  // namespace leveldb
