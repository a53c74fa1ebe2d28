#include "table/filter_block.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/filter_policy.h"
#include "util/coding.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

namespace {

// A policy whose filter is the list of the keys themselves.
class ListPolicy final : public FilterPolicy {
 public:
  const char* Name() const override { return "test.List"; }
  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    for (int i = 0; i < n; i++) AppendLengthPrefixed(dst, keys[i]);
  }
  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    SliceReader reader(filter);
    Slice candidate;
    while (reader.ReadLengthPrefixed(&candidate)) {
      if (candidate == key) return true;
    }
    return false;
  }
};

TEST(FilterBlock, TheBytesOfAnEmptyOne) {
  const ListPolicy policy;
  FilterBlockBuilder builder(&policy, FilterBlockBuilder::kShortRanges);
  const Slice block = builder.Finish();
  EXPECT_EQ(Escaped(block), "\\x00\\x00\\x00\\x00\\x0b");
  const FilterBlock filter(&policy, block);
  EXPECT_TRUE(filter.KeyMayMatch(0, "key"));
  EXPECT_TRUE(filter.KeyMayMatch(100000, "key"));
}

TEST(FilterBlock, TheBytesOfTwoFilters) {
  const ListPolicy policy;
  FilterBlockBuilder builder(&policy, FilterBlockBuilder::kShortRanges);
  builder.StartBlock(0);
  builder.AddKey("a");
  builder.StartBlock(1000);
  builder.AddKey("b");
  builder.StartBlock(5000);  // two ranges on; the one between has no keys
  builder.AddKey("c");
  std::string expected = "\001a\001b\001c";
  for (const uint32_t offset : {0u, 4u, 4u, 6u}) AppendFixed32(&expected, offset);
  expected.push_back(11);
  EXPECT_EQ(Escaped(builder.Finish()), Escaped(expected));
}

TEST(FilterBlock, KeysAreFoundWhereTheyWereAdded) {
  const ListPolicy policy;
  FilterBlockBuilder builder(&policy, FilterBlockBuilder::kShortRanges);
  builder.StartBlock(0);
  builder.AddKey("first");
  builder.StartBlock(2000);
  builder.AddKey("second");
  builder.StartBlock(3100);
  builder.AddKey("third");
  builder.StartBlock(9000);
  builder.AddKey("fourth");
  const FilterBlock filter(&policy, builder.Finish());
  EXPECT_TRUE(filter.KeyMayMatch(0, "first"));
  EXPECT_TRUE(filter.KeyMayMatch(2000, "first"));  // the same range
  EXPECT_TRUE(filter.KeyMayMatch(2000, "second"));
  EXPECT_FALSE(filter.KeyMayMatch(0, "third"));
  EXPECT_TRUE(filter.KeyMayMatch(3100, "third"));
  EXPECT_FALSE(filter.KeyMayMatch(3100, "first"));
  EXPECT_FALSE(filter.KeyMayMatch(4100, "first"));  // a range without keys
  EXPECT_FALSE(filter.KeyMayMatch(4100, "fourth"));
  EXPECT_TRUE(filter.KeyMayMatch(9000, "fourth"));
  EXPECT_FALSE(filter.KeyMayMatch(9000, "second"));
  EXPECT_TRUE(filter.KeyMayMatch(20000, "anything"));  // beyond what is known
}

TEST(FilterBlock, TheDefaultLetsEveryKeyPass) {
  const FilterBlock filter;
  EXPECT_TRUE(filter.KeyMayMatch(0, "key"));
  filter.PrefetchFilter(0, 1);
}

TEST(FilterBlock, GarbageLetsKeysPassAndIsHarmless) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(10));
  FilterBlockBuilder builder(policy.get(), FilterBlockBuilder::kShortRanges);
  for (uint64_t offset = 0; offset < 30000; offset += 4000) {
    builder.StartBlock(offset);
    for (int i = 0; i < 20; i++) builder.AddKey(NumberToString(offset + i));
  }
  const std::string good = builder.Finish().ToString();
  for (size_t size = 0; size < 5; size++) {
    EXPECT_TRUE(FilterBlock(policy.get(), Slice(good.data(), size)).KeyMayMatch(0, "x"));
  }
  Random random(301);
  for (int i = 0; i < 20000; i++) {
    std::string bad = good;
    for (uint64_t n = 1 + random.Uniform(3); n > 0; n--) {
      bad[bad.size() - 1 - random.Skewed(8) % bad.size()] = static_cast<char>(random.Next());
    }
    if (random.OneIn(3)) bad = bad.substr(random.Uniform(bad.size()));
    const std::unique_ptr<char[]> exact(new char[bad.size()]);
    bad.copy(exact.get(), bad.size());
    const FilterBlock filter(policy.get(), Slice(exact.get(), bad.size()));
    filter.KeyMayMatch(random.Next(), "x");
    filter.KeyMayMatch(random.Uniform(40000), "x");
    filter.PrefetchFilter(random.Uniform(20), random.Uniform(20));
  }
}

TEST(FilterBlock, LongRangesLetFewForeignNumbersPass) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(10));
  constexpr uint64_t kBlockBytes = 4096;
  const auto key = [](int i) {
    const std::string digits = std::to_string(i);
    return std::string(16 - digits.size(), '0') + digits;
  };
  FilterBlockBuilder builder(policy.get(), FilterBlockBuilder::kLongRanges);
  // Adds two of every three numbers, four to a block, so that there are filters for two ranges.
  uint64_t offset = 0;
  std::vector<std::pair<int, uint64_t>> absent;
  const int kNumbers = 8000;
  for (int i = 0; i < kNumbers; i++) {
    if (i % 6 == 0) builder.StartBlock(offset += kBlockBytes);
    if (i % 3 == 1) {
      absent.emplace_back(i, offset);
    } else {
      builder.AddKey(key(i));
    }
  }
  const std::string contents = builder.Finish().ToString();
  const FilterBlock block(policy.get(), contents);
  offset = 0;
  for (int i = 0; i < kNumbers; i++) {
    if (i % 6 == 0) offset += kBlockBytes;
    if (i % 3 != 1) {
      ASSERT_TRUE(block.KeyMayMatch(offset, key(i))) << i;
    }
  }
  size_t passed = 0;
  for (const auto& [number, at] : absent) passed += block.KeyMayMatch(at, key(number)) ? 1 : 0;
  EXPECT_LT(passed, absent.size() / 50);
}

}  // namespace

}  // namespace leveldb
