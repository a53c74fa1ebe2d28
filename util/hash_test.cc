#include "util/hash.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb {
namespace {

uint32_t HashOf(const std::string& bytes, uint32_t seed) {
  return Hash(bytes.data(), bytes.size(), seed);
}

// The values come from an implementation of the format's description in another language.
TEST(HashTest, KnownValues) {
  constexpr uint32_t kBloomSeed = 0xbc9f1d34;
  EXPECT_EQ(HashOf("", 0), 0u);
  EXPECT_EQ(HashOf("", kBloomSeed), 0xbc9f1d34u);
  EXPECT_EQ(HashOf("a", 0), 0xca6c9dd6u);
  EXPECT_EQ(HashOf("a", kBloomSeed), 0x286e9db0u);
  EXPECT_EQ(HashOf("\xff\xfe", kBloomSeed), 0x2969a3eau);
  EXPECT_EQ(HashOf("abc", kBloomSeed), 0x855d012fu);
  EXPECT_EQ(HashOf("abcd", 0), 0x9e87a0d0u);
  EXPECT_EQ(HashOf("abcd", kBloomSeed), 0xb9c83353u);
  EXPECT_EQ(HashOf("\x80\x81\x82\x83\x84", kBloomSeed), 0x60a5c002u);
  EXPECT_EQ(HashOf("hello, world", kBloomSeed), 0x16681015u);
  std::string high;
  for (int c = 200; c < 231; c++) high.push_back(static_cast<char>(c));
  EXPECT_EQ(HashOf(high, 0), 0xfc87380bu);
  EXPECT_EQ(HashOf(high, kBloomSeed), 0x47433abau);
}

}  // namespace
}  // namespace leveldb
