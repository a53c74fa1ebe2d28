#include "db/version/key_digits.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {
namespace {

// Checks the contract of Narrow(), and that it leaves at most `most_left` keys.
void Check(const std::vector<std::string>& keys, const std::string& target, size_t most_left) {
  const std::vector<Slice> slices(keys.begin(), keys.end());
  const KeyDigits::Range range = KeyDigits(slices).Narrow(target);
  ASSERT_LE(range.begin, range.end);
  ASSERT_LE(range.end, keys.size());
  for (size_t i = 0; i < range.begin; i++) ASSERT_LT(keys[i], target) << Escaped(target);
  for (size_t i = range.end; i < keys.size(); i++) ASSERT_GT(keys[i], target) << Escaped(target);
  ASSERT_LE(range.end - range.begin, most_left) << Escaped(target);
}

TEST(KeyDigitsTest, NoKeys) {
  Check({}, "a", 0);
}

TEST(KeyDigitsTest, OneKey) {
  for (const char* target : {"", "a", "b", "ba", "c"}) Check({"b"}, target, 1);
}

TEST(KeyDigitsTest, KeysThatBeginAlike) {
  std::vector<std::string> keys;
  for (int i = 0; i < 100; i++) keys.push_back("a long common prefix " + std::to_string(1000 + i));
  for (const std::string& key : keys) Check(keys, key, 1);
  for (const char* target : {"", "a", "a long common prefix", "a long common prefix 1",
                             "a long common prefix 10500", "a long common q", "b"}) {
    Check(keys, target, 0);
  }
}

TEST(KeyDigitsTest, KeysThatLookTheSame) {
  Check({"a12345678x", "a12345678y", "a12345678z"}, "a12345678y", 3);
  Check({"a12345678", "b12345678x", "b12345678y", "c"}, "b12345678y", 2);
}

TEST(KeyDigitsTest, ZerosAndShortKeys) {
  const std::vector<std::string> keys = {std::string(),         std::string(1, '\0'),
                                         std::string(9, '\0'),  "a",
                                         std::string("a\0", 2), std::string("a\0b", 3)};
  for (const std::string& key : keys) Check(keys, key, 3);
  Check(keys, std::string(2, '\0'), 3);
  Check(keys, "\xff", 3);
}

TEST(KeyDigitsTest, EqualKeys) {
  Check({"a", "a", "b", "b", "b", "c"}, "b", 3);
}

TEST(KeyDigitsTest, RandomKeys) {
  Random random(5);
  for (int round = 0; round < 200; round++) {
    const auto random_key = [&random] {
      std::string key;
      for (uint64_t n = random.Uniform(12); n > 0; n--) {
        key.push_back(static_cast<char>(random.OneIn(4) ? 0xff * random.Uniform(2) : 'a'));
      }
      return key;
    };
    std::vector<std::string> keys(random.Uniform(40));
    std::generate(keys.begin(), keys.end(), random_key);
    std::sort(keys.begin(), keys.end());
    for (int i = 0; i < 50; i++) Check(keys, random_key(), keys.size());
  }
}

}  // namespace
}  // namespace leveldb
