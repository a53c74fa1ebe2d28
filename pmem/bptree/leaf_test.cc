// Tests leaves: LeafBuilder writes them, LeafView reads them and search finds entries in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "pmem/bptree/leaf_builder.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/search.h"
#include "pmem/bptree/tree_testing.h"
#include "testing/comparators.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "util/hash64.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::Scaled;

constexpr uint64_t kSalt = 77;
constexpr PoolOffset kPoolOffset = 4096;

class LeafTest : public testing::TestWithParam<const Comparator*> {
 protected:
  // Returns a leaf of as many of the entries as fit, from `*next` on; the checksum is filled in.
  std::string BuildLeaf(const Entries& entries, size_t budget, size_t* next) {
    LeafBuilder builder(comparator_.is_bytewise());
    for (; *next < entries.size(); ++*next) {
      const auto& [internal_key, value] = entries[*next];
      ParsedKey key;
      EXPECT_TRUE(ParseInternalKey(internal_key, &key));
      if (!builder.Add(key, value, HashKey64(key.user_key), budget)) break;
    }
    size_t used;
    std::string leaf = builder.Finish(&used).ToString();
    EXPECT_TRUE(builder.empty());
    StoreFixed32(leaf.data(), LeafCrc(leaf.data(), used, kSalt, kPoolOffset));
    return leaf;
  }

  // ReadUsualEntry returns the same as ReadEntry.
  static void ExpectSameRead(const LeafView& leaf, size_t i) {
    LeafEntry usual;
    if (!leaf.ReadUsualEntry(i, &usual)) return;
    LeafEntry entry;
    ASSERT_TRUE(leaf.ReadEntry(i, &entry));
    ASSERT_EQ(entry.suffix.data(), usual.suffix.data());
    ASSERT_EQ(entry.suffix.size(), usual.suffix.size());
    ASSERT_EQ(entry.value.data(), usual.value.data());
    ASSERT_EQ(entry.value.size(), usual.value.size());
    ASSERT_EQ(entry.sequence, usual.sequence);
    ASSERT_EQ(entry.type, usual.type);
  }

  void ExpectEntries(const LeafView& leaf, const Entries& entries) {
    ASSERT_EQ(entries.size(), leaf.count());
    for (size_t i = 0; i < entries.size(); i++) {
      LeafEntry entry;
      ASSERT_TRUE(leaf.ReadEntry(i, &entry));
      std::string key = leaf.prefix().ToString();
      key.append(entry.suffix.data(), entry.suffix.size());
      AppendFixed64(&key, PackTrailer(entry.sequence, entry.type));
      ASSERT_EQ(entries[i].first, key);
      ASSERT_EQ(entries[i].second, entry.value.ToString());
      ASSERT_NO_FATAL_FAILURE(ExpectSameRead(leaf, i));
    }
  }

  void ExpectFinds(const LeafView& leaf, const Entries& entries, const std::string& user_key,
                   SequenceNumber sequence) {
    const LookupKey lookup(user_key, sequence);
    size_t index;
    ASSERT_TRUE(
        FindInLeaf(leaf, comparator_, user_key, ExtractTrailer(lookup.internal_key()), &index));
    ASSERT_EQ(SeekIndex(entries, &comparator_, lookup.internal_key().ToString()), index);
    TreeHit hit;
    LeafEntry entry;
    ASSERT_TRUE(FindVersionInLeaf(leaf, comparator_, user_key, sequence, HashKey64(user_key),
                                  &hit.found, &entry));
    if (hit.found) {
      hit.type = entry.type;
      hit.sequence = entry.sequence;
      hit.value = entry.value;
    }
    ExpectSameHit(ExpectedHit(entries, comparator_, user_key, sequence), hit);
  }

  const InternalKeyComparator comparator_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Comparators, LeafTest,
                         testing::Values(BytewiseComparator(), testkit::ReverseComparator(),
                                         testkit::CaseInsensitiveComparator()));

TEST_P(LeafTest, HoldWhatWasAddedAndFindIt) {
  EntryMaker maker(AnnouncedSeed());
  const Entries entries = maker.Make(comparator_, Scaled(3000));
  for (const size_t budget : {256, 1024, 4096, 32768}) {
    for (size_t next = 0; next < entries.size();) {
      const size_t begin = next;
      const std::string bytes = BuildLeaf(entries, budget, &next);
      ASSERT_GT(next, begin);
      const Entries expected(entries.begin() + begin, entries.begin() + next);
      ASSERT_EQ(0u, bytes.size() % kLeafUnit);
      if (expected.size() > 1) {
        ASSERT_LE(bytes.size(), budget);
      }
      LeafView leaf;
      ASSERT_TRUE(leaf.Open(bytes.data(), bytes.size()));
      ASSERT_TRUE(leaf.IsIntact(kSalt, kPoolOffset));
      ASSERT_FALSE(leaf.IsIntact(kSalt + 1, kPoolOffset));
      ASSERT_FALSE(leaf.IsIntact(kSalt, kPoolOffset + kLeafUnit));
      ExpectEntries(leaf, expected);
      for (int i = 0; i < 10; i++) {
        const auto& [key, value] = expected[maker.random()->Uniform(expected.size())];
        const SequenceNumber sequence = ExtractTrailer(key) >> 8;
        const std::string user_key = ExtractUserKey(key).ToString();
        ExpectFinds(leaf, expected, user_key, sequence);
        ExpectFinds(leaf, expected, user_key, sequence > 0 ? sequence - 1 : 0);
        ExpectFinds(leaf, expected, user_key, kMaxSequenceNumber);
        ExpectFinds(leaf, expected, maker.UserKey(), kMaxSequenceNumber);
      }
    }
  }
}

// The checksum covers every meaningful byte.
TEST_P(LeafTest, EveryFlippedBitIsNoticed) {
  EntryMaker maker(AnnouncedSeed());
  size_t next = 0;
  std::string bytes = BuildLeaf(maker.Make(comparator_, 100), 1024, &next);
  LeafView leaf;
  ASSERT_TRUE(leaf.Open(bytes.data(), bytes.size()));
  const size_t used = leaf.used();
  for (size_t bit = 0; bit < used * 8; bit++) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(leaf.Open(bytes.data(), bytes.size()) && leaf.IsIntact(kSalt, kPoolOffset)) << bit;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
  }
}

// Whatever the bytes are, nothing outside them is accessed (the sanitizers check).
TEST_P(LeafTest, NonsenseDoesNoHarm) {
  EntryMaker maker(AnnouncedSeed());
  Random& random = *maker.random();
  const Entries entries = maker.Make(comparator_, 300);
  int readable = 0;
  for (int round = 0; round < Scaled(3000); round++) {
    size_t next = random.Uniform(entries.size());
    const std::string intact = BuildLeaf(entries, 1024, &next);
    // Uses an array of its own, so that the sanitizer detects accesses beyond its end.
    std::vector<char> bytes(intact.begin(), intact.end());
    if (random.OneIn(10)) {
      const std::string nonsense = maker.Bytes(bytes.size() - kLeafHeaderSize);
      std::copy(nonsense.begin(), nonsense.end(), bytes.begin() + kLeafHeaderSize);
    } else {
      for (uint64_t n = 1 + random.Uniform(6); n > 0; n--) {
        bytes[random.OneIn(2) ? random.Uniform(bytes.size()) : random.Uniform(64)] =
            static_cast<char>(random.Next());
      }
    }
    LeafView leaf;
    if (!leaf.Open(bytes.data(), bytes.size())) continue;
    readable++;
    LeafEntry entry;
    for (size_t i = 0; i < leaf.count(); i++) {
      if (leaf.ReadEntry(i, &entry)) {
        ASSERT_LE(entry.value.data() + entry.value.size(), bytes.data() + bytes.size());
        ASSERT_GE(entry.suffix.data(), bytes.data());
      }
      ASSERT_NO_FATAL_FAILURE(ExpectSameRead(leaf, i));
    }
    bool found;
    size_t index;
    const std::string user_key =
        ExtractUserKey(entries[random.Uniform(entries.size())].first).ToString();
    (void)FindInLeaf(leaf, comparator_, user_key, 5, &index);
    (void)FindVersionInLeaf(leaf, comparator_, user_key, 1000, HashKey64(user_key), &found, &entry);
  }
  EXPECT_GT(readable, 0);
}

TEST_P(LeafTest, ZerosAreNoLeaf) {
  const std::string zeros(4096, '\0');
  LeafView leaf;
  EXPECT_FALSE(leaf.Open(zeros.data(), zeros.size()));
}

// A leaf that was written when keys were ordered by their bytes can be read under another
// comparator of the same order.
TEST(LeafOfAnotherComparatorTest, PrefixesAreUnderstood) {
  class SameOrder final : public Comparator {
   public:
    int Compare(const Slice& a, const Slice& b) const override { return a.compare(b); }
    const char* Name() const override { return "test.SameOrder"; }
    void FindShortestSeparator(std::string*, const Slice&) const override {}
    void FindShortSuccessor(std::string*) const override {}
  };
  const SameOrder same_order;
  const InternalKeyComparator comparator(&same_order);
  LeafBuilder builder(/*is_bytewise=*/true);
  for (int i = 10; i < 60; i++) {
    const std::string user_key = "shared" + std::to_string(i);
    ASSERT_TRUE(builder.Add({user_key, 9, kTypeValue}, "v", HashKey64(user_key), 4096));
  }
  size_t used;
  const std::string bytes = builder.Finish(&used).ToString();
  LeafView leaf;
  ASSERT_TRUE(leaf.Open(bytes.data(), bytes.size()));
  EXPECT_EQ("shared", leaf.prefix().ToString());
  for (int i = 10; i < 60; i++) {
    const std::string user_key = "shared" + std::to_string(i);
    bool found;
    LeafEntry entry;
    ASSERT_TRUE(FindVersionInLeaf(leaf, comparator, user_key, 9, 0, &found, &entry));
    EXPECT_TRUE(found);
    ASSERT_TRUE(FindVersionInLeaf(leaf, comparator, user_key + "x", 9, 0, &found, &entry));
    EXPECT_FALSE(found);
  }
}

TEST(MatchingBytesTest, BothWaysAgreeWithAPlainLoop) {
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < 2000; round++) {
    std::string bytes = dice.Bytes(16);
    const uint8_t wanted = static_cast<uint8_t>(dice.Next());
    for (char& byte : bytes) {
      if (dice.OneIn(4)) byte = static_cast<char>(wanted ^ (dice.OneIn(2) ? 0 : 0x80));
      if (dice.OneIn(4)) byte = static_cast<char>(wanted + dice.Below(2));
    }
    uint32_t expected = 0;
    for (int i = 0; i < 16; i++) {
      if (static_cast<uint8_t>(bytes[i]) == wanted) expected |= 1u << i;
    }
    ASSERT_EQ(expected, MatchingBytes(bytes.data(), wanted));
    ASSERT_EQ(expected, MatchingBytesPortable(bytes.data(), wanted));
  }
}

// Tests sizes on both sides of what a varint of one byte and of two can hold.
TEST(UsualEntryTest, SizesUpToTwoBytesAreUsualButNotAtTheEndOfALeaf) {
  const InternalKeyComparator comparator(BytewiseComparator());
  for (const size_t value_size : {20, 127, 128, 129, 255, 256, 16383, 16384, 20000}) {
    LeafBuilder builder(/*is_bytewise=*/true);
    for (const char* user_key : {"a", "b", "c"}) {
      const std::string value(*user_key == 'c' ? 0 : value_size, 'v');
      ParsedKey key;
      key.user_key = user_key;
      key.sequence = 7;
      ASSERT_TRUE(builder.Add(key, value, HashKey64(user_key), kLeafBytesMax * 2));
    }
    size_t used;
    const std::string bytes = builder.Finish(&used).ToString();
    LeafView leaf;
    ASSERT_TRUE(leaf.Open(bytes.data(), bytes.size()));
    for (size_t i = 0; i < 2; i++) {
      LeafEntry entry;
      const bool is_usual = value_size < 16384;
      ASSERT_EQ(is_usual, leaf.ReadUsualEntry(i, &entry)) << i << " of " << value_size;
      if (is_usual) {
        EXPECT_EQ(value_size, entry.value.size());
      }
    }
    LeafEntry last;
    EXPECT_FALSE(leaf.ReadUsualEntry(2, &last));
    EXPECT_TRUE(leaf.ReadEntry(2, &last));
  }
}

// The size of an entry is promised: 16-byte keys with references take little more than that.
TEST(LeafSizeTest, SmallEntriesStaySmall) {
  LeafBuilder builder(/*is_bytewise=*/true);
  const std::string reference(kValueRefSize, 'r');
  uint64_t number = 1000000000000000;
  for (;; number += 100) {
    const std::string user_key = std::to_string(number);
    const ParsedKey key{user_key, 1000 + number % 65536, kTypeValueRef};
    if (!builder.Add(key, reference, HashKey64(user_key), 4096)) break;
  }
  EXPECT_GE(builder.count(), 4096u / (16 + 8 + 10));
}

}  // namespace
}  // namespace leveldb
