#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/filter_policy.h"
#include "leveldb/slice.h"
#include "util/coding.h"

namespace leveldb {
namespace {

std::string FilterOf(int bits_per_key, const std::vector<std::string>& keys) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(bits_per_key));
  const std::vector<Slice> slices(keys.begin(), keys.end());
  std::string filter;
  policy->CreateFilter(slices.data(), static_cast<int>(slices.size()), &filter);
  return filter;
}

std::string Hex(const std::string& bytes) {
  static const char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex.push_back(kDigits[static_cast<uint8_t>(c) >> 4]);
    hex.push_back(kDigits[static_cast<uint8_t>(c) & 15]);
  }
  return hex;
}

std::string NumberKey(uint32_t number) {
  std::string key;
  AppendFixed32(&key, number);
  return key;
}

// The expected bytes come from an implementation of the format's description in another language.
TEST(BloomTest, BytesAreThoseOfTheFormat) {
  std::vector<std::string> keys;
  for (int i = 0; i < 12; i++) keys.push_back("key" + std::to_string(i));
  EXPECT_EQ(Hex(FilterOf(10, keys)), "28840070101e6242060a5b1420004506");
  EXPECT_EQ(Hex(FilterOf(10, {"hello", "world"})), "114000414410401006");
  EXPECT_EQ(Hex(FilterOf(1, {"x"})), "001000000000000001");
  EXPECT_EQ(Hex(FilterOf(10, {})), "000000000000000006");
  EXPECT_EQ(Hex(FilterOf(50, {"p0", "p1", "p2", "p3", "p4"})),
            "15a6c6c4a9303976426f9129bc0e9b585a4e47c12853278a95d5b012c6c1e8b81e");
}

TEST(BloomTest, NameIsThatOfTheFormat) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(10));
  EXPECT_STREQ(policy->Name(), "leveldb.BuiltinBloomFilter2");
}

TEST(BloomTest, AppendsToWhatIsThere) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(10));
  const Slice key("k");
  std::string dst = "before";
  policy->CreateFilter(&key, 1, &dst);
  EXPECT_EQ(dst, "before" + FilterOf(10, {"k"}));
}

TEST(BloomTest, FindsItsKeysAndFewOthers) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(10));
  for (const uint32_t n : {1u, 2u, 10u, 100u, 1000u, 10000u}) {
    std::vector<std::string> keys;
    for (uint32_t i = 0; i < n; i++) keys.push_back(NumberKey(i));
    const std::string filter = FilterOf(10, keys);
    EXPECT_LE(filter.size(), n * 10 / 8 + 40);
    for (const std::string& key : keys) ASSERT_TRUE(policy->KeyMayMatch(key, filter)) << n;
    int wrong = 0;
    for (uint32_t i = 0; i < 10000; i++) {
      if (policy->KeyMayMatch(NumberKey(i + 1000000000), filter)) wrong++;
    }
    EXPECT_LE(wrong, 200) << n;  // 2 %; about 1 % is expected.
  }
}

TEST(BloomTest, StrangeFilters) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(10));
  EXPECT_FALSE(policy->KeyMayMatch("k", ""));
  EXPECT_FALSE(policy->KeyMayMatch("k", Slice("\x06", 1)));
  EXPECT_TRUE(policy->KeyMayMatch("k", Slice("\x00\x1f", 2)));   // 31 probes: not ours.
  EXPECT_TRUE(policy->KeyMayMatch("k", Slice("\x00\x00", 2)));   // No probe: everything matches.
  EXPECT_FALSE(policy->KeyMayMatch("k", Slice("\x00\x06", 2)));  // All bits clear.
  EXPECT_TRUE(policy->KeyMayMatch("k", Slice("\xff\x06", 2)));
}

TEST(BloomTest, StrangeBitsPerKey) {
  for (const int bits : {-5, 0, 1, 100, 1000}) {
    const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(bits));
    const std::string filter = FilterOf(bits, {"a", "b"});
    EXPECT_TRUE(policy->KeyMayMatch("a", filter)) << bits;
    EXPECT_TRUE(policy->KeyMayMatch("b", filter)) << bits;
  }
}

}  // namespace
}  // namespace leveldb
