// Tests the version builder with trees.

#include <memory>
#include <string>
#include <vector>

#include "db/version/tree_text.h"
#include "db/version/version_builder.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"

namespace leveldb {
namespace {

class GroupBuilderTest : public testing::Test {
 protected:
  VersionPtr Parse(const std::string& text) { return ParseTieredVersion(&comparator_, text); }

  static std::string NumbersOf(const Version& version, int level) {
    std::string text;
    for (const TreePtr& tree : version.group()->trees(level)) {
      text += std::to_string(tree->number()) + " ";
    }
    return text;
  }

  TreeOpener Opener() {
    return [this](const TreeRecord& record, TreePtr* tree) {
      opened_ += std::to_string(record.number) + " ";
      *tree = MakeTree(&comparator_, record);
      return Status::OK();
    };
  }

  // Returns the edit as it would be read from a manifest.
  static VersionEdit Decoded(const VersionEdit& edit) {
    std::string record;
    edit.EncodeTo(&record);
    VersionEdit decoded;
    EXPECT_TRUE(decoded.DecodeFrom(record).ok());
    return decoded;
  }

  std::string Check(const std::string& text) {
    VersionBuilder builder(&comparator_, VersionPtr(new Version(&comparator_)));
    builder.Apply(ParseTrees(&comparator_, text));
    VersionPtr version;
    const Status status = builder.Build(&version);
    return status.ok() ? version->DebugString() : status.ToString();
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  std::string opened_;
};

TEST_F(GroupBuilderTest, Level0IsNewestFirstOthersAscend) {
  const VersionPtr version = Parse("G0: 3[a..z] 9[a..b] 5[c..d]\nG1: 7[m..n] 8[a..b]\nL1: 6[a..z]");
  EXPECT_EQ("9 5 3 ", NumbersOf(*version, 0));
  EXPECT_EQ("8 7 ", NumbersOf(*version, 1));
  EXPECT_EQ("", NumbersOf(*version, 2));
  EXPECT_EQ(1, version->num_files(1));
}

TEST_F(GroupBuilderTest, TextNamesTreesWhereThereAreSome) {
  const std::string text = Parse("G2: 7[m@9..n@8]:64K/200")->DebugString();
  EXPECT_NE(std::string::npos,
            text.find("--- group level 2 ---\n 7:200[" + ParseKey("m@9").DebugString() + " .. " +
                      ParseKey("n@8").DebugString() + "]\n"))
      << text;
  EXPECT_EQ(std::string::npos, text.find("--- group level 1 ---"));
}

TEST_F(GroupBuilderTest, AddsAndRemovesOverBothTiers) {
  const VersionPtr base = Parse("G0: 1[a..b] 2[a..c]\nL1: 4[a..b]");
  VersionEdit edit = ParseTrees(&comparator_, "G1: 5[a..c]\nL1: 6[a..d]");
  edit.pmem().RemoveTree(0, 1);
  edit.RemoveFile(1, 4);
  VersionBuilder builder(&comparator_, base);
  builder.Apply(edit);
  VersionPtr next;
  ASSERT_TRUE(builder.Build(&next).ok());
  EXPECT_EQ("2 ", NumbersOf(*next, 0));
  EXPECT_EQ("5 ", NumbersOf(*next, 1));
  EXPECT_EQ(6u, next->files(1)[0]->number);
  EXPECT_EQ(edit.pmem().new_trees()[0].tree, next->group()->trees(1)[0]);
  EXPECT_EQ("2 1 ", NumbersOf(*base, 0));
}

TEST_F(GroupBuilderTest, AGroupThatDidNotChangeIsShared) {
  const VersionPtr base = Parse("G0: 1[a..b]");
  VersionBuilder builder(&comparator_, base);
  builder.Apply(ParseFiles("L1: 2[c..d]"));
  VersionPtr next;
  ASSERT_TRUE(builder.Build(&next).ok());
  EXPECT_EQ(base->group(), next->group());
}

TEST_F(GroupBuilderTest, AMovedTreeStaysOpen) {
  const VersionPtr base = Parse("G0: 1[a..b]");
  VersionEdit move;
  move.pmem().RemoveTree(0, 1);
  move.pmem().AddTree(1, base->group()->trees(0)[0]->record(), nullptr);
  VersionBuilder builder(&comparator_, base);
  builder.Apply(move);
  VersionPtr next;
  ASSERT_TRUE(builder.Build(&next).ok());
  EXPECT_EQ("", NumbersOf(*next, 0));
  EXPECT_EQ(base->group()->trees(0)[0], next->group()->trees(1)[0]);
}

TEST_F(GroupBuilderTest, OnlyTreesThatAreLeftAreOpened) {
  VersionBuilder builder(&comparator_, VersionPtr(new Version(&comparator_)), Opener());
  builder.Apply(Decoded(ParseTrees(&comparator_, "G0: 1[a..b] 2[a..b] 3[c..d]")));
  VersionEdit merge = ParseTrees(&comparator_, "G1: 4[a..b]");
  merge.pmem().RemoveTree(0, 1);
  merge.pmem().RemoveTree(0, 2);
  builder.Apply(Decoded(merge));
  VersionEdit move = ParseTrees(&comparator_, "G2: 4[a..b]");
  move.pmem().RemoveTree(1, 4);
  builder.Apply(Decoded(move));
  EXPECT_EQ("", opened_);
  VersionPtr version;
  ASSERT_TRUE(builder.Build(&version).ok());
  EXPECT_EQ("3 4 ", opened_);
  EXPECT_EQ("3 ", NumbersOf(*version, 0));
  EXPECT_EQ("4 ", NumbersOf(*version, 2));
}

TEST_F(GroupBuilderTest, TreesNeedAPool) {
  VersionBuilder builder(&comparator_, VersionPtr(new Version(&comparator_)));
  builder.Apply(Decoded(ParseTrees(&comparator_, "G0: 17[a..b]")));
  VersionPtr version;
  const Status status = builder.Build(&version);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("#17")) << status.ToString();
}

TEST_F(GroupBuilderTest, ATreeThatCannotBeOpenedIsTold) {
  VersionBuilder builder(&comparator_, VersionPtr(new Version(&comparator_)),
                         [](const TreeRecord&, TreePtr*) { return Status::Corruption("no tree"); });
  builder.Apply(Decoded(ParseTrees(&comparator_, "G0: 17[a..b]")));
  VersionPtr version;
  EXPECT_TRUE(builder.Build(&version).IsCorruption());
}

TEST_F(GroupBuilderTest, OverlapIsAllowedAtLevel0Only) {
  EXPECT_EQ(std::string::npos, Check("G0: 1[a..c] 2[b..d]").find("Corruption"));
  EXPECT_NE(std::string::npos, Check("G1: 1[a..c] 2[b..d]").find("Corruption"));
  // Not even versions of one user key may straddle trees.
  EXPECT_NE(std::string::npos, Check("G3: 1[a@9..c@7] 2[c@6..d@1]").find("Corruption"));
}

TEST_F(GroupBuilderTest, ATreeThatIsThereAlreadyIsCorrupt) {
  VersionBuilder builder(&comparator_, Parse("G0: 1[a..b]"));
  builder.Apply(ParseTrees(&comparator_, "G0: 1[a..b]"));
  VersionPtr version;
  const Status status = builder.Build(&version);
  EXPECT_NE(std::string::npos, status.ToString().find("the manifest names one tree twice"))
      << status.ToString();
}

TEST_F(GroupBuilderTest, TheShapeGoesOnFromVersionToVersion) {
  VersionPtr version(new Version(&comparator_));
  EXPECT_EQ(LevelShape(), version->shape());
  VersionBuilder first(&comparator_, version);
  const LevelShape shape{.level1_bytes = uint64_t{1} << 30, .trees_per_merge = 8};
  first.SetShape(shape);
  ASSERT_TRUE(first.Build(&version).ok());
  VersionBuilder second(&comparator_, version);
  second.Apply(ParseFiles("L1: 2[c..d]:512M"));
  ASSERT_TRUE(second.Build(&version).ok());
  EXPECT_EQ(shape, version->shape());
  EXPECT_EQ(0.5, version->score(1));
}

}  // namespace
}  // namespace leveldb
