#include "iterator/key_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "util/key_bytes.h"
#include "util/random.h"

namespace leveldb {

namespace {

int Sign(int order) {
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

// Returns a key of few different bytes, so that long common prefixes are usual.
std::string RandomKey(Random* random, size_t max_size) {
  static const char kBytes[] = {'\0', '\x01', 'a', '\x7f', '\x80', '\xff'};
  std::string key(random->Uniform(max_size + 1), 'a');
  for (size_t i = random->Uniform(key.size() + 1); i < key.size(); i++) {
    key[i] = kBytes[random->Uniform(sizeof(kBytes))];
  }
  return key;
}

TEST(KeyBytes, CompareAsMemcmpDoes) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    for (int i = 0; i < 20000; i++) {
      const std::string a = RandomKey(&random, 40);
      const std::string b = random.OneIn(20) ? a : RandomKey(&random, 40);
      const int order = CompareBytes(a.data(), a.size(), b.data(), b.size());
      ASSERT_EQ(Sign(order), Sign(Slice(a).compare(b)));

      const size_t n = std::min(a.size(), b.size());
      const size_t common = CommonPrefixLength(a.data(), b.data(), n);
      ASSERT_LE(common, n);
      ASSERT_EQ(memcmp(a.data(), b.data(), common), 0);
      ASSERT_TRUE(common == n || a[common] != b[common]);
    }
  }
}

TEST(KeyBytes, BigEndianWordsOrderAsBytes) {
  EXPECT_LT(LoadBigEndian64("aaaaaaab"), LoadBigEndian64("baaaaaaa"));
  EXPECT_EQ(LoadBigEndian64("\0\0\0\0\0\0\1\2"), 0x102u);
}

// Orders keys by bodies bytewise, then by the last byte of the key descending.
class TrailerComparator final : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override {
    calls++;
    const int order = Slice(a.data(), a.size() - 1).compare(Slice(b.data(), b.size() - 1));
    if (order != 0) return order;
    return static_cast<uint8_t>(b[b.size() - 1]) - static_cast<uint8_t>(a[a.size() - 1]);
  }
  const char* Name() const override { return "test.Trailer"; }
  void FindShortestSeparator(std::string* start, const Slice& limit) const override {}
  void FindShortSuccessor(std::string* key) const override {}

  mutable int calls = 0;
};

TEST(KeyOrder, AgreesWithTheComparatorItStandsFor) {
  const TrailerComparator comparator;
  const KeyOrder order(&comparator, 1, true);
  EXPECT_TRUE(order.has_bytewise_bodies());
  EXPECT_EQ(order.trailer_size(), 1u);
  Random random(301);
  for (int i = 0; i < 20000; i++) {
    const std::string a = RandomKey(&random, 12) + "abc"[random.Uniform(3)];
    const std::string b = RandomKey(&random, 12) + "abc"[random.Uniform(3)];
    ASSERT_EQ(Sign(order.Compare(a, b)), Sign(comparator.Compare(a, b)));
  }
}

TEST(KeyOrder, AsksTheComparatorAboutTiesOnly) {
  const TrailerComparator comparator;
  const KeyOrder order(&comparator, 1, true);
  EXPECT_LT(order.Compare(Slice("one1"), Slice("two1")), 0);
  EXPECT_EQ(comparator.calls, 0);
  EXPECT_GT(order.Compare(Slice("one1"), Slice("one2")), 0);
  EXPECT_EQ(comparator.calls, 1);
}

TEST(KeyOrder, KnowsTheBytewiseComparator) {
  const KeyOrder bytewise = BytewiseComparator();
  EXPECT_TRUE(bytewise.has_bytewise_bodies());
  EXPECT_EQ(bytewise.trailer_size(), 0u);
  EXPECT_LT(bytewise.Compare("a", "b"), 0);
  EXPECT_EQ(bytewise.Compare("a", "a"), 0);

  const TrailerComparator other;
  const KeyOrder opaque = &other;
  EXPECT_FALSE(opaque.has_bytewise_bodies());
  EXPECT_GT(opaque.Compare("a1", "a2"), 0);
  EXPECT_EQ(opaque.comparator(), &other);
}

}  // namespace

}  // namespace leveldb
