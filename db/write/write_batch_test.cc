#include "leveldb/write_batch.h"

#include <gtest/gtest.h>

#include <string>

#include "db/write/write_batch_access.h"

namespace leveldb {
namespace {

class Transcript final : public WriteBatch::Handler {
 public:
  void Put(const Slice& key, const Slice& value) override {
    text += "put(" + key.ToString() + "," + value.ToString() + ")";
  }
  void Delete(const Slice& key) override { text += "delete(" + key.ToString() + ")"; }

  std::string text;
};

std::string Entries(const WriteBatch& batch) {
  Transcript transcript;
  const Status status = batch.Iterate(&transcript);
  return transcript.text + (status.ok() ? "" : " " + status.ToString());
}

TEST(WriteBatchTest, KeepsTheOrderOfItsEntries) {
  WriteBatch batch;
  EXPECT_EQ("", Entries(batch));
  batch.Put("a", "1");
  batch.Delete("a");
  batch.Put("", "");
  EXPECT_EQ("put(a,1)delete(a)put(,)", Entries(batch));
  EXPECT_EQ(3u, WriteBatchAccess::Count(batch));
  batch.Clear();
  EXPECT_EQ("", Entries(batch));
  EXPECT_EQ(0u, WriteBatchAccess::Count(batch));
}

TEST(WriteBatchTest, BytesAreTheOnesOfTheFormat) {
  WriteBatch batch;
  batch.Put("foo", "bar");
  batch.Delete("box");
  WriteBatchAccess::SetSequence(&batch, 100);
  EXPECT_EQ(std::string("\x64\0\0\0\0\0\0\0\2\0\0\0\1\3foo\3bar\0\3box", 26),
            WriteBatchAccess::Bytes(batch).ToString());
}

TEST(WriteBatchTest, AppendsOthersAndItself) {
  WriteBatch first;
  WriteBatch second;
  first.Append(second);
  EXPECT_EQ("", Entries(first));
  second.Put("a", "va");
  first.Append(second);
  first.Append(first);
  EXPECT_EQ("put(a,va)put(a,va)", Entries(first));
  EXPECT_EQ(2u, WriteBatchAccess::Count(first));
}

TEST(WriteBatchTest, CopiesAreIndependent) {
  WriteBatch original;
  original.Put("k", "v");
  WriteBatch copy = original;
  copy.Delete("k");
  EXPECT_EQ("put(k,v)", Entries(original));
  EXPECT_EQ("put(k,v)delete(k)", Entries(copy));
}

TEST(WriteBatchTest, ApproximateSizeGrowsWithTheEntries) {
  WriteBatch batch;
  const size_t empty = batch.ApproximateSize();
  batch.Put("key", "value");
  const size_t one = batch.ApproximateSize();
  EXPECT_GE(one, empty + 8);
  batch.Delete("key");
  EXPECT_GT(batch.ApproximateSize(), one);
}

TEST(WriteBatchTest, IterateReportsDamageAfterTheGoodEntries) {
  WriteBatch batch;
  batch.Put("a", "1");
  batch.Put("b", "2");
  std::string bytes = WriteBatchAccess::Bytes(batch).ToString();
  bytes.pop_back();
  WriteBatchAccess::SetBytes(&batch, bytes);
  EXPECT_EQ("put(a,1) Corruption: bad WriteBatch Put", Entries(batch));
}

// The slices are too long, but only their length is used: their memory is not needed.
TEST(WriteBatchTest, WhatIsTooLongSpoilsTheBatchAndIsSaid) {
  const Slice four_gib("x", size_t{1} << 32);
  const std::string said =
      " Corruption: a WriteBatch was given a key or a value of 4 GiB or more, or too many updates";
  for (int i = 0; i < 4; i++) {
    WriteBatch batch;
    batch.Put("a", "1");
    const WriteBatch good = batch;
    if (i == 0) batch.Put("k", four_gib);
    if (i == 1) batch.Put(four_gib, "v");
    if (i == 2) batch.Delete(four_gib);
    if (i == 3) batch.Put(Slice("x", UINT32_MAX - 7), "v");
    EXPECT_EQ(said, Entries(batch));
    batch.Put("b", "2");
    batch.Delete("b");
    batch.Append(good);
    EXPECT_EQ(said, Entries(batch));
    WriteBatch other = good;
    other.Append(batch);
    EXPECT_EQ(said, Entries(other));
    batch.Clear();
    batch.Put("c", "3");
    EXPECT_EQ("put(c,3)", Entries(batch));
  }
}

}  // namespace
}  // namespace leveldb
