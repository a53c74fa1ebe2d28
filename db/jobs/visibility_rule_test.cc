#include "db/jobs/visibility_rule.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace leveldb {
namespace {

class VisibilityRuleTest : public testing::Test {
 protected:
  // Passes the rule entries such as "a5" (put of a at sequence 5) and "a-4" (its deletion), and
  // returns those that it keeps. Level 2 of the version holds a table from `deeper_from` to
  // `deeper_to`, below the output level 1.
  std::string Kept(SequenceNumber smallest_snapshot, const std::vector<std::string>& entries) {
    Version::Levels levels;
    for (auto& level : levels) level = std::make_shared<const LevelFiles>();
    if (!deeper_from_.empty()) {
      levels[2] = std::make_shared<const LevelFiles>(std::vector<FileMetaPtr>{
          std::make_shared<FileMeta>(9, 100, InternalKey(deeper_from_, 1, kTypeValue),
                                     InternalKey(deeper_to_, 1, kTypeValue))});
    }
    const auto version = std::make_shared<const Version>(
        &comparator_, std::move(levels), std::make_shared<const TreeGroup>(&comparator_),
        LevelShape());
    BaseLevelCheck base_level_check = BaseLevelCheck::BelowTables(version, 1);
    VisibilityRule rule(&comparator_, smallest_snapshot, &base_level_check);
    std::string kept;
    for (const std::string& entry : entries) {
      const bool is_deletion = entry[1] == '-';
      const InternalKey key(entry.substr(0, 1), std::stoul(entry.substr(is_deletion ? 2 : 1)),
                            is_deletion ? kTypeDeletion : kTypeValue);
      if (!rule.ShouldDrop(key.Encode())) kept += entry + " ";
    }
    return kept;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  std::string deeper_from_;
  std::string deeper_to_;
};

TEST_F(VisibilityRuleTest, KeepsTheNewestOfEachKey) {
  EXPECT_EQ("a9 b3 ", Kept(10, {"a9", "a8", "a-7", "a1", "b3", "b2"}));
}

TEST_F(VisibilityRuleTest, KeepsWhatASnapshotCanSee) {
  EXPECT_EQ("a9 a6 ", Kept(7, {"a9", "a6", "a5"}));  // the snapshot at 7 sees 6
  EXPECT_EQ("a9 a7 ", Kept(7, {"a9", "a7", "a5"}));  // the snapshot's own sequence counts
  EXPECT_EQ("a9 a8 a5 ", Kept(7, {"a9", "a8", "a5"}));
  EXPECT_EQ("a9 a8 a5 ", Kept(4, {"a9", "a8", "a5"}));
}

TEST_F(VisibilityRuleTest, DropsATombstoneOnlyWhereNothingIsLeftToHide) {
  EXPECT_EQ("", Kept(10, {"a-9", "a5"}));
  EXPECT_EQ("a-9 ", Kept(8, {"a-9"}));  // a reader below the snapshot does not see the deletion
  EXPECT_EQ("a-9 a5 ", Kept(8, {"a-9", "a5"}));
  deeper_from_ = "b";
  deeper_to_ = "d";
  EXPECT_EQ("b-9 c-9 d-9 ", Kept(10, {"a-9", "b-9", "b5", "c-9", "d-9", "e-9"}));
}

TEST_F(VisibilityRuleTest, ShadowingGoesOnBehindADroppedTombstone) {
  EXPECT_EQ("a9 ", Kept(8, {"a9", "a-8", "a7", "a6"}));
}

TEST_F(VisibilityRuleTest, KeepsWhatItCannotRead) {
  const auto version = std::make_shared<const Version>(&comparator_);
  BaseLevelCheck base_level_check = BaseLevelCheck::BelowTables(version, 1);
  VisibilityRule rule(&comparator_, 10, &base_level_check);
  EXPECT_FALSE(rule.ShouldDrop("junk"));
}

}  // namespace
}  // namespace leveldb
