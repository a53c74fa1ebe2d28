#include "db/mem/batch_insert.h"

#include <gtest/gtest.h>

#include <string>

#include "entry/batch_cursor.h"

namespace leveldb {
namespace {

std::string Batch(SequenceNumber sequence, uint32_t count) {
  std::string batch(kBatchHeaderSize, '\0');
  SetBatchSequence(&batch, sequence);
  SetBatchCount(&batch, count);
  return batch;
}

void AppendPut(std::string* batch, const Slice& key, const Slice& value) {
  batch->push_back(kTypeValue);
  AppendLengthPrefixed(batch, key);
  AppendLengthPrefixed(batch, value);
}

TEST(BatchInsertTest, EntriesTakeConsecutiveSequences) {
  const InternalKeyComparator comparator(BytewiseComparator());
  MemTable memtable(&comparator);
  std::string batch = Batch(100, 3);
  AppendPut(&batch, "k", "first");
  batch.push_back(kTypeDeletion);
  AppendLengthPrefixed(&batch, "k");
  AppendPut(&batch, "k", "last");
  ASSERT_TRUE(InsertBatch(batch, &memtable).ok());

  ValueType type;
  Slice value;
  EXPECT_FALSE(memtable.Find(LookupKey("k", 99), &type, &value));
  ASSERT_TRUE(memtable.Find(LookupKey("k", 100), &type, &value));
  EXPECT_EQ("first", value.ToString());
  ASSERT_TRUE(memtable.Find(LookupKey("k", 101), &type, &value));
  EXPECT_EQ(kTypeDeletion, type);
  ASSERT_TRUE(memtable.Find(LookupKey("k", 102), &type, &value));
  EXPECT_EQ(kTypeValue, type);
  EXPECT_EQ("last", value.ToString());
}

TEST(BatchInsertTest, DamageIsReported) {
  const InternalKeyComparator comparator(BytewiseComparator());
  MemTable memtable(&comparator);
  EXPECT_TRUE(InsertBatch("short", &memtable).IsCorruption());
  EXPECT_TRUE(InsertBatch(Batch(1, 1), &memtable).IsCorruption());
  std::string beyond = Batch(kMaxSequenceNumber + 1, 1);
  AppendPut(&beyond, "k", "v");
  EXPECT_TRUE(InsertBatch(beyond, &memtable).IsCorruption());
  EXPECT_TRUE(memtable.empty());
}

}  // namespace
}  // namespace leveldb
