#include "benchmarks/key_codec.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "util/random.h"

namespace leveldb::bench {
namespace {

std::string Expected(uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%016llu", static_cast<unsigned long long>(number));
  return text;
}

void CheckRoundTrip(uint64_t number) {
  KeyBuffer key(0);
  key.Set(number);
  ASSERT_EQ(Expected(number), key.key().ToString());
  uint64_t parsed = 0;
  ASSERT_TRUE(ParseKey(key.key(), 0, &parsed));
  ASSERT_EQ(number, parsed);
}

TEST(KeyCodecTest, SmallNumbersAndLimits) {
  for (uint64_t number = 0; number < 20000; ++number) CheckRoundTrip(number);
  for (uint64_t power = 1; power <= kKeyNumberMax; power *= 10) {
    CheckRoundTrip(power - 1);
    CheckRoundTrip(power);
  }
  CheckRoundTrip(kKeyNumberMax);
}

TEST(KeyCodecTest, EveryEndOfFourDigits) {
  for (uint64_t low = 0; low < 10000; ++low) {
    CheckRoundTrip(low * 10000 + 9999 - low);
    CheckRoundTrip((low * 10000 + 9999 - low) * 100'000'000);
  }
}

TEST(KeyCodecTest, RandomNumbers) {
  Random random(17);
  for (int i = 0; i < 100000; ++i) CheckRoundTrip(random.Uniform(kKeyNumberMax + 1));
}

TEST(KeyCodecTest, Prefix) {
  KeyBuffer key(5);
  key.Set(42);
  EXPECT_EQ("aaaaa0000000000000042", key.key().ToString());
  uint64_t number = 0;
  EXPECT_TRUE(ParseKey(key.key(), 5, &number));
  EXPECT_EQ(42u, number);
  EXPECT_FALSE(ParseKey(key.key(), 4, &number));
  EXPECT_FALSE(ParseKey(key.key(), 0, &number));
}

TEST(KeyCodecTest, NearMissSortsAmongTheKeysAndIsNone) {
  KeyBuffer key(0);
  key.Set(1234);
  EXPECT_EQ("000000000000123", key.NearMiss().ToString());
  uint64_t number = 0;
  EXPECT_FALSE(ParseKey(key.NearMiss(), 0, &number));
}

TEST(KeyCodecTest, AnyByteThatIsNoDigitIsRefused) {
  for (size_t at = 0; at < kKeyDigits; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string key(kKeyDigits, '7');
      key[at] = static_cast<char>(byte);
      uint64_t number = 0;
      const bool is_digit = byte >= '0' && byte <= '9';
      ASSERT_EQ(is_digit, ParseKey(key, 0, &number)) << "byte " << byte << " at " << at;
    }
  }
  uint64_t number = 0;
  EXPECT_FALSE(ParseKey("b0000000000000001", 1, &number));
  EXPECT_FALSE(ParseKey("", 0, &number));
}

}  // namespace
}  // namespace leveldb::bench
