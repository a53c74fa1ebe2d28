#include "pmem/bptree/tree_record.h"

#include <gtest/gtest.h>

#include <string>

#include "util/coding.h"

namespace leveldb {
namespace {

TreeRecord SomeRecord() {
  TreeRecord record;
  record.number = 300;
  record.footer_offset = uint64_t{5} << 32;
  record.footer_bytes = 12345;
  record.footer_crc = 0xdeadbeef;
  record.salt = 0x0123456789abcdef;
  record.entries = 1000;
  record.leaf_bytes = 65536;
  record.user_bytes = 1 << 20;
  record.smallest = InternalKey("", 7, kTypeDeletion);
  record.largest = InternalKey("zebra", 9, kTypeValueRef);
  return record;
}

std::string Encoded(const TreeRecord& record) {
  std::string bytes;
  record.EncodeTo(&bytes);
  return bytes;
}

TEST(TreeRecordTest, ComesBackAsItWas) {
  const std::string bytes = Encoded(SomeRecord()) + "rest";
  SliceReader reader(bytes);
  TreeRecord record;
  ASSERT_TRUE(record.DecodeFrom(&reader));
  EXPECT_EQ("rest", reader.rest().ToString());
  EXPECT_EQ(Encoded(SomeRecord()), Encoded(record));
  EXPECT_EQ(300u, record.number);
  EXPECT_EQ(uint64_t{5} << 32, record.footer_offset);
  EXPECT_EQ(12345u, record.footer_bytes);
  EXPECT_EQ(0xdeadbeef, record.footer_crc);
  EXPECT_EQ(0x0123456789abcdef, record.salt);
  EXPECT_EQ(1000u, record.entries);
  EXPECT_EQ(65536u, record.leaf_bytes);
  EXPECT_EQ(1u << 20, record.user_bytes);
  EXPECT_EQ("", record.smallest.user_key().ToString());
  EXPECT_EQ("zebra", record.largest.user_key().ToString());
  EXPECT_EQ("#300 ['' @ 7 : del .. 'zebra' @ 9 : ref] 1000 entries", record.DebugString());
}

TEST(TreeRecordTest, CutShortIsNoRecord) {
  const std::string bytes = Encoded(SomeRecord());
  for (size_t n = 0; n < bytes.size(); n++) {
    SliceReader reader(Slice(bytes.data(), n));
    TreeRecord record;
    EXPECT_FALSE(record.DecodeFrom(&reader)) << n;
  }
}

TEST(TreeRecordTest, ImpossibleFieldsAreRefused) {
  const auto is_accepted = [](const TreeRecord& record) {
    const std::string bytes = Encoded(record);
    SliceReader reader(bytes);
    TreeRecord decoded;
    return decoded.DecodeFrom(&reader);
  };
  EXPECT_TRUE(is_accepted(SomeRecord()));
  TreeRecord record = SomeRecord();
  record.footer_offset = kNoPoolOffset;
  EXPECT_FALSE(is_accepted(record));
  record = SomeRecord();
  record.entries = 0;
  EXPECT_FALSE(is_accepted(record));
  record = SomeRecord();
  ASSERT_TRUE(
      record.largest.DecodeFrom("no such type: \x09"
                                "1234567"));
  EXPECT_FALSE(is_accepted(record));
}

}  // namespace
}  // namespace leveldb
