#include "entry/batch_cursor.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

void AppendPut(std::string* batch, const Slice& key, const Slice& value) {
  batch->push_back(kTypeValue);
  AppendLengthPrefixed(batch, key);
  AppendLengthPrefixed(batch, value);
}

void AppendDelete(std::string* batch, const Slice& key) {
  batch->push_back(kTypeDeletion);
  AppendLengthPrefixed(batch, key);
}

std::string Header(SequenceNumber sequence, uint32_t count) {
  std::string batch(kBatchHeaderSize, '\0');
  SetBatchSequence(&batch, sequence);
  SetBatchCount(&batch, count);
  return batch;
}

TEST(BatchCursorTest, WalksEntriesInOrder) {
  std::string batch = Header(42, 3);
  AppendPut(&batch, "a", "1");
  AppendDelete(&batch, "");
  AppendPut(&batch, std::string(200, 'k'), std::string(70000, 'v'));
  EXPECT_EQ(42u, BatchSequence(batch));
  EXPECT_EQ(3u, BatchCount(batch));

  BatchCursor cursor(batch);
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(kTypeValue, cursor.type());
  EXPECT_EQ("a", cursor.key().ToString());
  EXPECT_EQ("1", cursor.value().ToString());
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(kTypeDeletion, cursor.type());
  EXPECT_TRUE(cursor.key().empty());
  EXPECT_TRUE(cursor.value().empty());
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(200u, cursor.key().size());
  EXPECT_EQ(70000u, cursor.value().size());
  EXPECT_FALSE(cursor.Next());
  EXPECT_TRUE(cursor.status().ok());
}

TEST(BatchCursorTest, ReportsEveryCutAndNeverReadsPastIt) {
  std::string whole = Header(1, 2);
  AppendPut(&whole, "key", "value");
  AppendDelete(&whole, "other");
  for (size_t length = 0; length < whole.size(); length++) {
    const std::string cut(whole.data(), length);  // exact size: ASan sees overreads
    BatchCursor cursor(cut);
    while (cursor.Next()) {
    }
    EXPECT_TRUE(cursor.status().IsCorruption()) << length;
  }
}

TEST(BatchCursorTest, ReportsWrongCountAndUnknownTag) {
  for (const uint32_t count : {0u, 2u}) {
    std::string batch = Header(1, count);
    AppendPut(&batch, "key", "value");
    BatchCursor cursor(batch);
    EXPECT_TRUE(cursor.Next());
    EXPECT_FALSE(cursor.Next());
    EXPECT_TRUE(cursor.status().IsCorruption());
  }
  for (const char tag : {char{kTypeValueRef}, char{7}}) {
    std::string batch = Header(1, 1);
    batch.push_back(tag);
    AppendLengthPrefixed(&batch, "key");
    AppendLengthPrefixed(&batch, "a value reference");
    BatchCursor cursor(batch);
    EXPECT_FALSE(cursor.Next());
    EXPECT_TRUE(cursor.status().IsCorruption());
  }
}

}  // namespace
}  // namespace leveldb
