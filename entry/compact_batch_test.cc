#include "entry/compact_batch.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/dice.h"
#include "util/coding.h"

namespace leveldb {
namespace {

constexpr SequenceNumber kLogFirst = 1000;

const ValueRef kReference{.pool_offset = 4096, .is_chunk_list = true, .length = 1000, .crc = 7};

std::string ThreeEntries() {
  CompactBatchBuilder builder;
  builder.Start(1042, kLogFirst);
  builder.Put("a", std::string(300, 'v'));
  builder.Delete("");
  builder.Put(std::string(70000, 'k'), kReference);
  EXPECT_EQ(3u, builder.count());
  return builder.bytes().ToString();
}

TEST(CompactBatchTest, EntriesComeBackInOrder) {
  const std::string payload = ThreeEntries();
  CompactBatchCursor cursor(payload, kLogFirst);
  EXPECT_EQ(1042u, cursor.sequence());
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(1042u, cursor.sequence());
  EXPECT_EQ(kTypeValue, cursor.type());
  EXPECT_EQ("a", cursor.key().ToString());
  EXPECT_EQ(std::string(300, 'v'), cursor.value().ToString());
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(1043u, cursor.sequence());
  EXPECT_EQ(kTypeDeletion, cursor.type());
  EXPECT_TRUE(cursor.key().empty());
  EXPECT_TRUE(cursor.value().empty());
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(1044u, cursor.sequence());
  EXPECT_EQ(kTypeValueRef, cursor.type());
  EXPECT_EQ(70000u, cursor.key().size());
  ValueRef reference;
  ASSERT_TRUE(DecodeValueRef(cursor.value(), &reference));
  EXPECT_EQ(kReference, reference);
  EXPECT_FALSE(cursor.Next());
  EXPECT_TRUE(cursor.status().ok());
}

TEST(CompactBatchTest, ABuilderIsUsedAgain) {
  CompactBatchBuilder builder;
  builder.Start(5, 1);
  builder.Put("x", std::string(100000, 'v'));
  builder.Shrink(1000);
  builder.Start(6, 1);
  builder.Delete("y");
  EXPECT_EQ(1u, builder.count());
  CompactBatchCursor cursor(builder.bytes(), 1);
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(6u, cursor.sequence());
  EXPECT_EQ("y", cursor.key().ToString());
  EXPECT_FALSE(cursor.Next());
}

// A put of 16 and 100 bytes leaves six of 128 bytes for the log's own header.
TEST(CompactBatchTest, ASmallPutTakesTwoCacheLines) {
  CompactBatchBuilder builder;
  builder.Start(2'000'000, 1);
  builder.Put(std::string(16, 'k'), std::string(100, 'v'));
  EXPECT_LE(builder.bytes().size(), 128u - 6u);
}

TEST(CompactBatchTest, MayBeNumberedLast) {
  for (const SequenceNumber sequence : {kLogFirst, kLogFirst + 127, kLogFirst + 128}) {
    CompactBatchBuilder builder;
    builder.Start();
    builder.Put("key", "value");
    builder.Put("key", kReference);
    const size_t size = CompactStartSize(sequence, kLogFirst) + builder.EntriesSize();
    builder.Number(sequence, kLogFirst);
    EXPECT_EQ(size, builder.bytes().size());
    CompactBatchCursor cursor(builder.bytes(), kLogFirst);
    ASSERT_TRUE(cursor.Next());
    EXPECT_EQ(sequence, cursor.sequence());
    EXPECT_EQ("value", cursor.value().ToString());
    EXPECT_TRUE(cursor.Next());
    EXPECT_FALSE(cursor.Next());
    EXPECT_TRUE(cursor.status().ok());
  }
}

// A payload of one entry that is made without a builder equals the builder's.
TEST(CompactBatchTest, MayBeMadeInPlace) {
  char reference[kValueRefSize];
  EncodeValueRef(kReference, reference);
  for (const size_t size : {0, 1, 31, 32, 127, 128, 5000}) {
    const std::string text(size, 't');
    for (const CompactEntry& entry :
         {CompactEntry{kTypeDeletion, text, ""}, CompactEntry{kTypeValue, "key", text},
          CompactEntry{kTypeValue, text, text},
          CompactEntry{kTypeValueRef, text, Slice(reference, sizeof(reference))}}) {
      CompactBatchBuilder builder;
      builder.Start(kLogFirst + size, kLogFirst);
      if (entry.type == kTypeDeletion) builder.Delete(entry.key);
      if (entry.type == kTypeValue) builder.Put(entry.key, entry.value);
      if (entry.type == kTypeValueRef) builder.Put(entry.key, kReference);

      std::string made(CompactStartSize(kLogFirst + size, kLogFirst) + entry.Size(), '\0');
      char* const end = entry.Store(StoreCompactStart(made.data(), kLogFirst + size, kLogFirst));
      EXPECT_EQ(made.data() + made.size(), end);
      EXPECT_EQ(builder.bytes().ToString(), made);
    }
  }
}

TEST(CompactBatchTest, AReferenceMayBeCompletedLast) {
  ValueRef incomplete = kReference;
  incomplete.crc = 0;
  CompactBatchBuilder builder;
  builder.Start(kLogFirst, kLogFirst);
  builder.Put("before", "value");
  const size_t spot = builder.Put("key", incomplete);
  builder.Delete("behind");
  builder.SetReference(spot, kReference);
  CompactBatchCursor cursor(builder.bytes(), kLogFirst);
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ("value", cursor.value().ToString());
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ("key", cursor.key().ToString());
  ValueRef reference;
  ASSERT_TRUE(DecodeValueRef(cursor.value(), &reference));
  EXPECT_EQ(kReference, reference);
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ("behind", cursor.key().ToString());
  EXPECT_FALSE(cursor.Next());
  EXPECT_TRUE(cursor.status().ok());
}

// A payload may end only between two entries.
TEST(CompactBatchTest, ReportsEveryOtherCutAndNeverReadsPastIt) {
  const std::string whole = ThreeEntries();
  int well_formed = 0;
  for (size_t length = 0; length < whole.size(); length += length < 400 ? 1 : 997) {
    const std::string cut(whole.data(), length);  // exact size: ASan sees overreads
    CompactBatchCursor cursor(cut, kLogFirst);
    while (cursor.Next()) {
    }
    if (cursor.status().ok()) well_formed++;
  }
  EXPECT_EQ(2, well_formed);
}

TEST(CompactBatchTest, ReportsImpossibleSequences) {
  std::string payload;
  AppendVarint64(&payload, kMaxSequenceNumber);
  payload += "\x04k";
  EXPECT_TRUE(CompactBatchCursor(payload, 1).status().IsCorruption());
  EXPECT_TRUE(CompactBatchCursor(payload, kMaxSequenceNumber + 1).status().IsCorruption());
  CompactBatchBuilder builder;
  builder.Start(kMaxSequenceNumber, 1);
  builder.Delete("last");
  builder.Delete("one too many");
  CompactBatchCursor cursor(builder.bytes(), 1);
  EXPECT_TRUE(cursor.Next());
  EXPECT_FALSE(cursor.Next());
  EXPECT_TRUE(cursor.status().IsCorruption());
}

TEST(CompactBatchTest, AnyBytesAreRead) {
  testkit::Dice dice(301);
  for (int i = 0; i < 20000; i++) {
    const std::string bytes = dice.Bytes(dice.Below(40));
    CompactBatchCursor cursor(bytes, dice.Next());
    size_t seen = 0;
    while (cursor.Next()) seen += cursor.key().size() + cursor.value().size();
    EXPECT_LE(seen, bytes.size());
  }
}

}  // namespace
}  // namespace leveldb
