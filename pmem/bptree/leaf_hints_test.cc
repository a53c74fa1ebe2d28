#include "pmem/bptree/leaf_hints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "pmem/bptree/leaf_builder.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "util/hash64.h"

namespace leveldb {
namespace {

constexpr size_t kBudget = 4096;

// A leaf of as many of the keys as fit, each with this value, or else a reference.
class HintedLeaf {
 public:
  explicit HintedLeaf(const std::set<std::string>& keys, size_t budget = kBudget,
                      const std::string& value = "") {
    LeafBuilder builder(/*is_bytewise=*/true);
    const ValueType type = value.empty() ? kTypeValueRef : kTypeValue;
    const std::string content = value.empty() ? std::string(kValueRefSize, 'r') : value;
    SequenceNumber sequence = 1000;
    for (const std::string& key : keys) {
      const ParsedKey parsed{key, sequence++, type};
      if (!builder.Add(parsed, content, HashKey64(key), budget)) break;
      keys_.push_back(key);
    }
    size_t used;
    bytes_ = builder.Finish(&used).ToString();
    EXPECT_TRUE(view_.Open(bytes_.data(), bytes_.size()));
  }

  size_t size() const { return bytes_.size(); }
  const LeafView& view() const { return view_; }
  const std::vector<std::string>& keys() const { return keys_; }
  size_t StartOf(size_t i) const {
    return static_cast<size_t>(view_.EntryStart(i) - bytes_.data());
  }

 private:
  std::string bytes_;
  std::vector<std::string> keys_;
  LeafView view_;
};

std::string Decimal(int i) {
  const std::string digits = std::to_string(i);
  return std::string(16 - digits.size(), '0') + digits;
}

void ExpectWhole(const LeafPart& part, size_t leaf_size) {
  EXPECT_EQ(0u, part.begin);
  EXPECT_EQ(leaf_size, part.end);
}

TEST(LeafHints, NothingIsKnownBeforeItIsLearned) {
  const LeafHints hints(2);
  EXPECT_TRUE(hints.IsWanted(0));
  EXPECT_TRUE(hints.IsWanted(1));
  ExpectWhole(hints.Find(1, 2048, "key"), 2048);
  const HintedLeaf leaf({"a", "b"});
  hints.Learn(1, leaf.view());
  EXPECT_TRUE(hints.IsWanted(0));
  EXPECT_FALSE(hints.IsWanted(1));
}

TEST(LeafHints, OfNoLeavesNoneIsWanted) {
  const LeafHints hints;
  EXPECT_FALSE(hints.IsWanted(0));
  ExpectWhole(hints.Find(0, 4096, "key"), 4096);
  EXPECT_EQ(0u, hints.memory_bytes());
}

TEST(LeafHints, AreTrueForEveryKeyOfTheLeaf) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  for (int round = 0; round < testkit::Scaled(300); round++) {
    const std::string shared = dice.Bytes(dice.Below(12));
    const size_t longest = 1 + dice.Below(20);
    const unsigned letters = 1 + static_cast<unsigned>(dice.Below(256));
    std::set<std::string> keys;
    for (size_t i = 1 + dice.Below(300); i > 0; i--) {
      std::string key = shared;
      for (size_t n = dice.Below(longest + 1); n > 0; n--) {
        key += static_cast<char>(dice.Below(letters));
      }
      keys.insert(key);
    }
    const HintedLeaf leaf(keys, size_t{256} << dice.Below(8));
    const LeafHints hints(1);
    hints.Learn(0, leaf.view());
    for (size_t i = 0; i < leaf.keys().size(); i++) {
      const LeafPart part = hints.Find(0, leaf.size(), leaf.keys()[i]);
      ASSERT_LE(part.begin, leaf.StartOf(i)) << i;
      ASSERT_GT(part.end, leaf.StartOf(i)) << i;
      ASSERT_LE(part.end, leaf.size());
    }
    for (int i = 0; i < 20; i++) {
      const LeafPart part = hints.Find(0, leaf.size(), dice.Bytes(dice.Below(30)));
      ASSERT_LE(part.begin, part.end);
      ASSERT_LE(part.end, leaf.size());
    }
  }
}

// The intended use: keys as benchmarks and programs make them, numbers in digits.
TEST(LeafHints, LeaveLittleOfALeafPossible) {
  for (const int step : {1, 3, 7}) {
    size_t asked = 0;
    size_t whole = 0;
    for (int first = 0; first < 5000; first += 70) {
      std::set<std::string> keys;
      for (int i = 0; i < 70; i++) keys.insert(Decimal((first + i) * step));
      const HintedLeaf leaf(keys);
      const LeafHints hints(1);
      hints.Learn(0, leaf.view());
      for (const std::string& key : leaf.keys()) {
        const LeafPart part = hints.Find(0, leaf.size(), key);
        asked += part.end - part.begin;
        whole += leaf.size();
      }
    }
    EXPECT_LT(asked, whole / 3) << "by " << step;
  }
}

TEST(LeafHints, KeysThatDifferOnlyLaterLeaveAllPossible) {
  std::set<std::string> keys{"a"};
  for (int i = 0; i < 100; i++) keys.insert("bbbbbbbb" + Decimal(i));
  const HintedLeaf leaf(keys);
  const LeafHints hints(1);
  hints.Learn(0, leaf.view());
  ExpectWhole(hints.Find(0, leaf.size(), leaf.keys()[50]), leaf.size());
}

TEST(LeafHints, TakeInLargeValues) {
  std::set<std::string> keys;
  for (int i = 0; i < 4; i++) keys.insert(Decimal(i));
  const HintedLeaf leaf(keys, kBudget, std::string(1000, 'v'));
  const LeafHints hints(1);
  hints.Learn(0, leaf.view());
  for (size_t i = 0; i < leaf.keys().size(); i++) {
    LeafEntry entry;
    ASSERT_TRUE(leaf.view().ReadEntry(i, &entry));
    const LeafPart part = hints.Find(0, leaf.size(), leaf.keys()[i]);
    const char* const end = entry.value.data() + entry.value.size();
    EXPECT_GE(part.end + leaf.size() / 8, static_cast<size_t>(end - leaf.view().data())) << i;
  }
}

TEST(LeafHints, AMalformedLeafIsNotLearned) {
  std::set<std::string> keys;
  for (int i = 0; i < 60; i++) keys.insert(Decimal(i));
  const HintedLeaf leaf(keys);
  testkit::Dice dice(testkit::AnnouncedSeed());
  for (int round = 0; round < testkit::Scaled(1000); round++) {
    std::string bytes(leaf.view().data(), leaf.size());
    for (int i = 0; i < 20; i++) {
      bytes[kLeafHeaderSize + dice.Below(bytes.size() - kLeafHeaderSize)] =
          static_cast<char>(dice.Below(256));
    }
    LeafView view;
    ASSERT_TRUE(view.Open(bytes.data(), bytes.size()));
    const LeafHints hints(1);
    hints.Learn(0, view);
    const LeafPart part = hints.Find(0, bytes.size(), leaf.keys()[dice.Below(60)]);
    ASSERT_LE(part.begin, part.end);
    ASSERT_LE(part.end, bytes.size());
  }
}

TEST(LeafHints, ThreadsMayLearnTheSame) {
  std::set<std::string> keys;
  for (int i = 0; i < 60; i++) keys.insert(Decimal(i));
  const HintedLeaf leaf(keys);
  const LeafHints hints(1);
  const auto read = [&] {
    for (size_t i = 0; i < 1000; i++) {
      const size_t asked = i % leaf.keys().size();
      const LeafPart part = hints.Find(0, leaf.size(), leaf.keys()[asked]);
      EXPECT_LE(part.begin, leaf.StartOf(asked));
      EXPECT_GT(part.end, leaf.StartOf(asked));
      if (hints.IsWanted(0)) hints.Learn(0, leaf.view());
    }
  };
  std::thread other(read);
  read();
  other.join();
}

}  // namespace
}  // namespace leveldb
