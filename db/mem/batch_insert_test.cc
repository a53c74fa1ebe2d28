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

  std::string value;
  Status status;
  EXPECT_FALSE(memtable.Get(LookupKey("k", 99), &value, &status));
  ASSERT_TRUE(memtable.Get(LookupKey("k", 100), &value, &status));
  EXPECT_EQ("first", value);
  ASSERT_TRUE(memtable.Get(LookupKey("k", 101), &value, &status));
  EXPECT_TRUE(status.IsNotFound());
  status = Status::OK();
  ASSERT_TRUE(memtable.Get(LookupKey("k", 102), &value, &status));
  EXPECT_EQ("last", value);
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
