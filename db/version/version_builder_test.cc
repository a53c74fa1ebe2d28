#include "db/version/version_builder.h"

#include <memory>

#include "db/version/obsolete_files.h"
#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"

namespace leveldb {
namespace {

class VersionBuilderTest : public testing::Test {
 protected:
  VersionPtr Parse(const std::string& text) { return ParseVersion(&comparator_, text); }

  static std::string NumbersOf(const Version& version, int level) {
    std::string text;
    for (const FileMetaPtr& file : version.files(level)) {
      text += std::to_string(file->number) + " ";
    }
    return text;
  }

  Status Apply(const VersionPtr& base, const VersionEdit& edit, VersionPtr* result) {
    VersionBuilder builder(&comparator_, base);
    builder.Apply(edit);
    return builder.Build(result);
  }

  // Returns the result of adding the files of `text` to an empty version.
  std::string Check(const std::string& text) {
    VersionPtr version;
    const Status status = Apply(Parse(""), ParseFiles(text), &version);
    return status.ok() ? version->DebugString() : status.ToString();
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
};

TEST_F(VersionBuilderTest, Level0IsNewestFirstOthersAscend) {
  const VersionPtr version = Parse(
      "L0: 3[a..z] 9[a..b] 5[c..d]\n"
      "L1: 7[m..n] 8[a..b] 6[x..z]\n");
  EXPECT_EQ("9 5 3 ", NumbersOf(*version, 0));
  EXPECT_EQ("8 7 6 ", NumbersOf(*version, 1));
  EXPECT_EQ("", NumbersOf(*version, 2));
}

TEST_F(VersionBuilderTest, AddsAndRemoves) {
  const VersionPtr base = Parse("L1: 1[a..b] 2[c..d] 3[e..f]\nL2: 4[a..z]");
  VersionEdit edit = ParseFiles("L1: 5[c..c] 6[d..d]");
  edit.RemoveFile(1, 2);
  VersionPtr next;
  ASSERT_TRUE(Apply(base, edit, &next).ok());
  EXPECT_EQ("1 5 6 3 ", NumbersOf(*next, 1));
  EXPECT_EQ("1 2 3 ", NumbersOf(*base, 1));
}

TEST_F(VersionBuilderTest, LevelsThatDidNotChangeAreShared) {
  const VersionPtr base = Parse("L1: 1[a..b]\nL2: 4[a..z]");
  VersionPtr next;
  ASSERT_TRUE(Apply(base, ParseFiles("L1: 2[c..d]"), &next).ok());
  EXPECT_EQ(base->shared_level(2), next->shared_level(2));
  EXPECT_NE(base->shared_level(1), next->shared_level(1));
  EXPECT_EQ(base->files(1)[0], next->files(1)[0]);
}

TEST_F(VersionBuilderTest, AMovedFileKeepsItsObject) {
  const VersionPtr base = Parse("L1: 1[a..b]");
  base->files(1)[0]->allowed_seeks = 0;
  VersionEdit edit = ParseFiles("L2: 1[a..b]");
  edit.RemoveFile(1, 1);
  VersionPtr next;
  ASSERT_TRUE(Apply(base, edit, &next).ok());
  EXPECT_TRUE(next->files(1).empty());
  ASSERT_EQ(1, next->num_files(2));
  EXPECT_EQ(base->files(1)[0], next->files(2)[0]);
  EXPECT_GT(next->files(2)[0]->allowed_seeks, 0);
}

TEST_F(VersionBuilderTest, ManyEditsInARow) {
  VersionBuilder builder(&comparator_, Parse("L0: 1[a..b]"));
  builder.Apply(ParseFiles("L0: 2[a..b]"));
  VersionEdit compaction = ParseFiles("L1: 3[a..b]");
  compaction.RemoveFile(0, 1);
  compaction.RemoveFile(0, 2);
  builder.Apply(compaction);
  VersionEdit move = ParseFiles("L2: 3[a..b]");
  move.RemoveFile(1, 3);
  builder.Apply(move);
  builder.Apply(ParseFiles("L0: 4[c..d]"));
  VersionPtr version;
  ASSERT_TRUE(builder.Build(&version).ok());
  EXPECT_EQ("4 ", NumbersOf(*version, 0));
  EXPECT_EQ("", NumbersOf(*version, 1));
  EXPECT_EQ("3 ", NumbersOf(*version, 2));
}

TEST_F(VersionBuilderTest, AFileMayBeRemovedAndAddedAgain) {
  VersionBuilder builder(&comparator_, Parse("L1: 1[a..b]"));
  VersionEdit remove;
  remove.RemoveFile(1, 1);
  builder.Apply(remove);
  builder.Apply(ParseFiles("L1: 1[a..c]"));
  VersionPtr version;
  ASSERT_TRUE(builder.Build(&version).ok());
  ASSERT_EQ(1, version->num_files(1));
  EXPECT_EQ("c", version->files(1)[0]->largest.user_key().ToString());
}

TEST_F(VersionBuilderTest, RemovingWhatIsNotThereChangesNothing) {
  VersionEdit edit;
  edit.RemoveFile(1, 99);
  edit.RemoveFile(2, 1);
  VersionPtr version;
  ASSERT_TRUE(Apply(Parse("L1: 1[a..b]"), edit, &version).ok());
  EXPECT_EQ("1 ", NumbersOf(*version, 1));
}

TEST_F(VersionBuilderTest, OverlapIsAllowedAtLevel0Only) {
  EXPECT_EQ(std::string::npos, Check("L0: 1[a..c] 2[b..d]").find("Corruption"));
  EXPECT_EQ("Corruption: the manifest names tables that overlap: file #1 at level 1 and #2",
            Check("L1: 1[a..c] 2[b..d]"));
  EXPECT_EQ("Corruption: the manifest names tables that overlap: file #1 at level 6 and #2",
            Check("L6: 1[a..c] 2[c..d]"));
}

TEST_F(VersionBuilderTest, VersionsOfOneKeyMayStraddleFiles) {
  EXPECT_EQ(std::string::npos, Check("L1: 1[a@9..c@7] 2[c@6..d@1]").find("Corruption"));
  EXPECT_EQ("Corruption: the manifest names tables that overlap: file #1 at level 1 and #2",
            Check("L1: 1[a@9..c@6] 2[c@7..d@1]"));
}

TEST_F(VersionBuilderTest, BoundsTheWrongWayRoundAreCorrupt) {
  EXPECT_EQ(
      "Corruption: the manifest names a table whose smallest key is after its largest: "
      "file #1 at level 0",
      Check("L0: 1[c..a]"));
}

TEST_F(VersionBuilderTest, AFileThatIsThereAlreadyIsCorrupt) {
  VersionPtr version;
  const Status status = Apply(Parse("L0: 1[a..b]"), ParseFiles("L0: 1[a..b]"), &version);
  EXPECT_EQ("Corruption: the manifest names one table twice: file #1 at level 0",
            status.ToString());
}

}  // namespace
}  // namespace leveldb
