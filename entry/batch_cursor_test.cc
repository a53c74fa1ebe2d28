#include "entry/batch_cursor.h"

#include <gtest/gtest.h>

#include "entry/value_ref.h"

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

void AppendReference(std::string* batch, const Slice& key, const ValueRef& reference) {
  batch->push_back(kTypeValueRef);
  AppendLengthPrefixed(batch, key);
  char bytes[kValueRefSize];
  EncodeValueRef(reference, bytes);
  batch->append(bytes, sizeof(bytes));
}

TEST(BatchCursorTest, ReferencesAreReadOnlyWhereTheyMayBe) {
  const ValueRef reference{.place = 4096, .length = 1000, .crc = 7};
  std::string whole = Header(1, 2);
  AppendReference(&whole, "key", reference);
  AppendPut(&whole, "other", "value");

  BatchCursor cursor(whole, kTypeValueRef);
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(kTypeValueRef, cursor.type());
  EXPECT_EQ("key", cursor.key().ToString());
  ValueRef read;
  ASSERT_TRUE(DecodeValueRef(cursor.value(), &read));
  EXPECT_EQ(reference, read);
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ("value", cursor.value().ToString());
  EXPECT_FALSE(cursor.Next());
  EXPECT_TRUE(cursor.status().ok());

  for (size_t length = 0; length < whole.size(); length++) {
    const std::string cut(whole.data(), length);
    BatchCursor cut_cursor(cut, kTypeValueRef);
    while (cut_cursor.Next()) {
    }
    EXPECT_TRUE(cut_cursor.status().IsCorruption()) << length;
  }
  BatchCursor file_cursor(whole);
  EXPECT_FALSE(file_cursor.Next());
  EXPECT_TRUE(file_cursor.status().IsCorruption());
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
  std::string batch = Header(1, 1);
  batch.push_back(7);
  AppendLengthPrefixed(&batch, "key");
  BatchCursor cursor(batch);
  EXPECT_FALSE(cursor.Next());
  EXPECT_TRUE(cursor.status().IsCorruption());
}

}  // namespace
}  // namespace leveldb
