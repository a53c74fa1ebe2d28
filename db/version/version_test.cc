#include "db/version/version.h"

#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"

namespace leveldb {
namespace {

class VersionTest : public testing::Test {
 protected:
  void Define(const std::string& text) { version_ = ParseVersion(&comparator_, text); }

  std::string Overlapping(int level, const char* begin, const char* end) {
    InternalKey begin_key;
    InternalKey end_key;
    if (begin != nullptr) begin_key = ParseKey(begin);
    if (end != nullptr) end_key = ParseKey(end);
    std::string text;
    for (const FileMetaPtr& file : version_->Overlapping(
             level, begin != nullptr ? &begin_key : nullptr, end != nullptr ? &end_key : nullptr)) {
      text += std::to_string(file->number) + " ";
    }
    return text;
  }

  bool OverlapInLevel(int level, const char* smallest, const char* largest) {
    const Slice begin(smallest);
    const Slice end(largest);
    return version_->OverlapInLevel(level, &begin, &end);
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  VersionPtr version_;
};

TEST_F(VersionTest, AnEmptyVersion) {
  const Version version(&comparator_);
  for (int level = 0; level < kNumLevels; level++) {
    EXPECT_EQ(0, version.num_files(level));
    EXPECT_EQ(0u, version.level_bytes(level));
    EXPECT_FALSE(version.OverlapInLevel(level, nullptr, nullptr));
  }
  EXPECT_EQ(0.0, version.compaction_score());
}

TEST_F(VersionTest, SizesAndScores) {
  Define("L0: 1[a..b] 2[a..b]\nL1: 3[a..b]:5M 4[c..d]:10M\nL2: 5[a..b]:20M");
  EXPECT_EQ(2, version_->num_files(0));
  EXPECT_EQ(15u << 20, version_->level_bytes(1));
  EXPECT_EQ(0.5, version_->score(0));
  EXPECT_EQ(1.5, version_->score(1));
  EXPECT_EQ(1, version_->compaction_level());
  EXPECT_EQ(1.5, version_->compaction_score());
}

TEST_F(VersionTest, OverlappingFilesOfASortedLevel) {
  Define("L1: 1[a..b] 2[d..e] 3[g..h]");
  EXPECT_EQ("1 2 3 ", Overlapping(1, nullptr, nullptr));
  EXPECT_EQ("2 3 ", Overlapping(1, "c", nullptr));
  EXPECT_EQ("1 2 ", Overlapping(1, nullptr, "f"));
  EXPECT_EQ("2 ", Overlapping(1, "e", "f"));
  EXPECT_EQ("", Overlapping(1, "c", "c"));
  EXPECT_EQ("", Overlapping(1, "x", "z"));
}

TEST_F(VersionTest, AUserKeyThatStraddlesFilesMeansAllOfThem) {
  Define("L1: 1[a@9..c@7] 2[c@6..c@4] 3[c@3..d@1] 4[e..f]");
  EXPECT_EQ("1 2 3 ", Overlapping(1, "c@5", "c@5"));
}

TEST_F(VersionTest, TheRangeGrowsAtLevel0) {
  Define("L0: 1[a..c] 2[b..e] 3[d..g] 4[x..z] 5[f..f]");
  EXPECT_EQ("5 3 2 1 ", Overlapping(0, "a", "a"));
  EXPECT_EQ("5 3 2 1 ", Overlapping(0, "g", "h"));
  EXPECT_EQ("4 ", Overlapping(0, "y", "y"));
  EXPECT_EQ("", Overlapping(0, "h", "w"));
  EXPECT_EQ("5 4 3 2 1 ", Overlapping(0, "g", nullptr));
}

TEST_F(VersionTest, OverlapInLevel) {
  Define("L0: 1[a..c] 2[x..z]\nL1: 3[m..n]");
  EXPECT_TRUE(OverlapInLevel(0, "b", "d"));
  EXPECT_TRUE(OverlapInLevel(0, "d", "x"));
  EXPECT_FALSE(OverlapInLevel(0, "d", "w"));
  EXPECT_TRUE(OverlapInLevel(1, "a", "z"));
  EXPECT_FALSE(OverlapInLevel(1, "o", "z"));
  EXPECT_FALSE(OverlapInLevel(2, "a", "z"));
}

TEST_F(VersionTest, Contains) {
  Define("L0: 1[a..c]\nL1: 3[m..n]");
  EXPECT_TRUE(version_->Contains(0, 1));
  EXPECT_FALSE(version_->Contains(1, 1));
  EXPECT_TRUE(version_->Contains(1, 3));
}

TEST_F(VersionTest, TextNamesEveryFile) {
  Define("L0: 1[a@7..c@5]:200\nL2: 3[m@9..n@8]:300");
  EXPECT_EQ("--- level 0 ---\n 1:200[" + ParseKey("a@7").DebugString() + " .. " +
                ParseKey("c@5").DebugString() + "]\n--- level 1 ---\n--- level 2 ---\n 3:300[" +
                ParseKey("m@9").DebugString() + " .. " + ParseKey("n@8").DebugString() +
                "]\n--- level 3 ---\n--- level 4 ---\n--- level 5 ---\n--- level 6 ---\n",
            version_->DebugString());
}

}  // namespace
}  // namespace leveldb
