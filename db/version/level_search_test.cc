#include "db/version/level_search.h"

#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {
namespace {

// Compares user keys without regard to case, so that bytewise digits cannot be used.
class CaseBlindComparator : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override { return Lower(a).compare(Lower(b)); }
  const char* Name() const override { return "test.CaseBlind"; }
  void FindShortestSeparator(std::string* start, const Slice& limit) const override {}
  void FindShortSuccessor(std::string* key) const override {}

 private:
  static std::string Lower(const Slice& text) {
    std::string lower = text.ToString();
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    return lower;
  }
};

class LevelSearchTest : public testing::Test {
 protected:
  void Define(const std::string& files) { version_ = ParseVersion(&comparator_, "L1: " + files); }

  size_t Find(const std::string& key) {
    return FindFile(comparator_, version_->level(1), ParseKey(key).Encode());
  }
  size_t FindUserKey(const std::string& key) {
    return FindFileOfUserKey(comparator_, version_->level(1), key);
  }
  bool Overlaps(const char* smallest, const char* largest) {
    const Slice begin(smallest == nullptr ? "" : smallest);
    const Slice end(largest == nullptr ? "" : largest);
    return SortedLevelOverlapsRange(comparator_, version_->level(1),
                                    smallest == nullptr ? nullptr : &begin,
                                    largest == nullptr ? nullptr : &end);
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  VersionPtr version_;
};

TEST_F(LevelSearchTest, AnEmptyLevel) {
  Define("");
  EXPECT_EQ(0u, Find("a"));
  EXPECT_EQ(0u, FindUserKey("a"));
  EXPECT_FALSE(Overlaps("a", "z"));
  EXPECT_FALSE(Overlaps(nullptr, nullptr));
}

TEST_F(LevelSearchTest, FindsTheOnlyFileThatMayHoldTheKey) {
  Define("1[c..e] 2[g..i] 3[k..m]");
  EXPECT_EQ(0u, Find("a"));
  EXPECT_EQ(0u, Find("e"));
  EXPECT_EQ(1u, Find("f"));
  EXPECT_EQ(1u, Find("g"));
  EXPECT_EQ(2u, Find("m"));
  EXPECT_EQ(3u, Find("n"));
}

TEST_F(LevelSearchTest, SequenceNumbersCount) {
  Define("1[a@9..c@7] 2[c@6..c@4] 3[c@3..d@1]");
  EXPECT_EQ(0u, Find("c@8"));
  EXPECT_EQ(0u, Find("c@7"));
  EXPECT_EQ(1u, Find("c@6"));
  EXPECT_EQ(2u, Find("c@2"));
  EXPECT_EQ(0u, FindUserKey("c"));
  EXPECT_EQ(2u, FindUserKey("c1"));
}

TEST_F(LevelSearchTest, Overlap) {
  Define("1[c..e] 2[g..i]");
  EXPECT_FALSE(Overlaps("a", "b"));
  EXPECT_FALSE(Overlaps("f", "f"));
  EXPECT_FALSE(Overlaps("j", "z"));
  EXPECT_FALSE(Overlaps(nullptr, "b"));
  EXPECT_FALSE(Overlaps("j", nullptr));
  EXPECT_TRUE(Overlaps("a", "c"));
  EXPECT_TRUE(Overlaps("e", "f"));
  EXPECT_TRUE(Overlaps("d", "d"));
  EXPECT_TRUE(Overlaps("f", "g"));
  EXPECT_TRUE(Overlaps("a", "z"));
  EXPECT_TRUE(Overlaps(nullptr, "c"));
  EXPECT_TRUE(Overlaps("i", nullptr));
  EXPECT_TRUE(Overlaps(nullptr, nullptr));
}

TEST_F(LevelSearchTest, OtherComparatorsAreObeyed) {
  const CaseBlindComparator case_blind;
  const InternalKeyComparator comparator(&case_blind);
  const VersionPtr version = ParseVersion(&comparator, "L1: 1[a..C] 2[d..F]");
  EXPECT_EQ(0u, FindFile(comparator, version->level(1), ParseKey("B").Encode()));
  EXPECT_EQ(1u, FindFile(comparator, version->level(1), ParseKey("e").Encode()));
  const Slice key("E");
  EXPECT_TRUE(SortedLevelOverlapsRange(comparator, version->level(1), &key, &key));
}

TEST_F(LevelSearchTest, AgreesWithALinearSearch) {
  Random random(42);
  for (int round = 0; round < 50; round++) {
    std::string files;
    uint64_t position = 1000;
    for (uint64_t n = random.Uniform(30); n > 0; n--) {
      const uint64_t begin = position + random.Uniform(5);
      const uint64_t end = begin + random.Uniform(5);
      position = end + 1;
      files += NumberToString(position) + "[" + NumberToString(begin) + ".." + NumberToString(end) +
               "] ";
    }
    Define(files);
    for (uint64_t k = 995; k < position + 5; k++) {
      const InternalKey key(NumberToString(k), 1, kTypeValue);
      size_t expected = 0;
      while (expected < version_->level(1).size() &&
             comparator_.Compare(version_->files(1)[expected]->largest, key) < 0) {
        expected++;
      }
      ASSERT_EQ(expected, FindFile(comparator_, version_->level(1), key.Encode()));
    }
  }
}

}  // namespace
}  // namespace leveldb
