#include "entry/value_ref.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb {
namespace {

std::string Encoded(const ValueRef& reference) {
  std::string bytes(kValueRefSize, '\0');
  EncodeValueRef(reference, bytes.data());
  return bytes;
}

TEST(ValueRefTest, PartsSurviveEncoding) {
  for (const uint64_t pool_offset : {uint64_t{1}, uint64_t{0x123456789a}, kMaxValueOffset}) {
    for (const bool is_chunk_list : {false, true}) {
      for (const uint32_t length : {0u, 1u, 0xffffffffu}) {
        const ValueRef reference{pool_offset, is_chunk_list, length, ~length};
        ValueRef decoded;
        ASSERT_TRUE(DecodeValueRef(Encoded(reference), &decoded));
        EXPECT_EQ(reference, decoded);
        EXPECT_EQ(length, ValueRefLength(Encoded(reference)));
        EXPECT_EQ(pool_offset | (is_chunk_list ? uint64_t{1} << 63 : 0),
                  ValueRefOffsetWord(Encoded(reference)));
      }
    }
  }
}

TEST(ValueRefTest, BytesAreLaidOutAsDrawn) {
  const ValueRef reference{
      .pool_offset = 0x060504030201, .is_chunk_list = true, .length = 8, .crc = 9};
  const std::string expected("\1\2\3\4\5\6\0\x80\x8\0\0\0\x9\0\0\0", kValueRefSize);
  EXPECT_EQ(expected, Encoded(reference));
}

TEST(ValueRefTest, RefusesWhatNoReferenceConsistsOf) {
  const std::string good = Encoded({.pool_offset = 64, .length = 10, .crc = 1});
  ValueRef decoded;
  EXPECT_FALSE(DecodeValueRef("", &decoded));
  EXPECT_FALSE(DecodeValueRef(good.substr(1), &decoded));
  EXPECT_FALSE(DecodeValueRef(good + "x", &decoded));
  std::string no_place = good;
  no_place[0] = '\0';
  EXPECT_FALSE(DecodeValueRef(no_place, &decoded));
  for (int bit = 48; bit < 63; bit++) {
    std::string strange = good;
    strange[bit / 8] = static_cast<char>(strange[bit / 8] | (1 << (bit % 8)));
    EXPECT_FALSE(DecodeValueRef(strange, &decoded)) << bit;
  }
}

}  // namespace
}  // namespace leveldb
