#include "db/open/repair_layout.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/comparators.h"
#include "util/text.h"

namespace leveldb {
namespace {

class RepairLayoutTest : public ::testing::Test {
 protected:
  // Returns a table at `level` with keys from smallest to largest and sequences from first to last.
  static SalvagedTable Table(int level, uint64_t number, const std::string& smallest,
                             const std::string& largest, SequenceNumber first,
                             SequenceNumber last) {
    SalvagedTable table;
    table.number = number;
    table.level = level;
    table.smallest = InternalKey(smallest, last, kTypeValue);
    table.largest = InternalKey(largest, first, kTypeValue);
    table.sequences.Add(first);
    table.sequences.Add(last);
    return table;
  }

  // Returns the groups as the numbers of their tables: "1 2|3".
  static std::string Groups(const InternalKeyComparator& comparator,
                            const std::vector<SalvagedTable>& tables) {
    std::string text;
    for (const std::vector<SalvagedTable>& group : GroupByOverlap(comparator, tables)) {
      if (!text.empty()) text += "|";
      for (size_t i = 0; i < group.size(); i++) {
        text += (i > 0 ? " " : "") + NumberToString(group[i].number);
      }
    }
    return text;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
};

TEST_F(RepairLayoutTest, NothingIsInOrder) {
  EXPECT_TRUE(LevelsAreInOrder(comparator_, {}));
  EXPECT_EQ(Groups(comparator_, {}), "");
}

TEST_F(RepairLayoutTest, OverlappingTablesOfLevel0MustHaveTheNewerSequencesInTheHigherNumber) {
  EXPECT_TRUE(LevelsAreInOrder(comparator_,
                               {Table(0, 7, "a", "m", 10, 19), Table(0, 9, "f", "z", 20, 29)}));
  EXPECT_FALSE(LevelsAreInOrder(comparator_,
                                {Table(0, 9, "a", "m", 10, 19), Table(0, 7, "f", "z", 20, 29)}));
  EXPECT_FALSE(LevelsAreInOrder(comparator_,
                                {Table(0, 7, "a", "m", 10, 20), Table(0, 9, "m", "z", 20, 29)}));
  // The tables have no key in common, so their order does not matter.
  EXPECT_TRUE(LevelsAreInOrder(comparator_,
                               {Table(0, 9, "a", "e", 10, 19), Table(0, 7, "f", "z", 20, 29)}));
}

TEST_F(RepairLayoutTest, TablesOfOneDeeperLevelMustNotOverlap) {
  EXPECT_TRUE(
      LevelsAreInOrder(comparator_, {Table(1, 7, "f", "z", 10, 19), Table(1, 9, "a", "e", 1, 29)}));
  EXPECT_FALSE(LevelsAreInOrder(comparator_,
                                {Table(1, 7, "a", "f", 10, 19), Table(1, 9, "e", "z", 20, 29)}));
  // Tables of different levels may overlap.
  EXPECT_TRUE(
      LevelsAreInOrder(comparator_, {Table(1, 7, "a", "f", 10, 19), Table(2, 9, "e", "z", 1, 5)}));
  // Two versions of a key may be in two adjacent tables, the newer one first.
  EXPECT_TRUE(
      LevelsAreInOrder(comparator_, {Table(6, 7, "a", "f", 10, 19), Table(6, 9, "f", "z", 3, 9)}));
  EXPECT_FALSE(
      LevelsAreInOrder(comparator_, {Table(6, 7, "a", "f", 3, 9), Table(6, 9, "f", "z", 10, 19)}));
}

TEST_F(RepairLayoutTest, AnOlderVersionMustBeMetLater) {
  const auto holds = [this](int level, uint64_t number, int next_level, uint64_t next_number,
                            const char* next_key) {
    VersionsInOrder versions(&comparator_);
    const InternalKey newer("k", 9, kTypeValue);
    versions.Add(Table(level, number, "a", "z", 1, 9), newer.Encode());
    const InternalKey older(next_key, 5, kTypeValue);
    versions.Add(Table(next_level, next_number, "a", "z", 1, 9), older.Encode());
    return versions.holds();
  };
  EXPECT_TRUE(holds(0, 7, 1, 9, "k"));
  EXPECT_FALSE(holds(1, 9, 0, 7, "k"));
  EXPECT_FALSE(holds(3, 1, 2, 2, "k"));
  EXPECT_TRUE(holds(0, 9, 0, 7, "k"));
  EXPECT_FALSE(holds(0, 7, 0, 9, "k"));
  EXPECT_TRUE(holds(0, 7, 0, 7, "k"));
  EXPECT_TRUE(holds(2, 7, 2, 9, "k"));   // two tables of a sorted level
  EXPECT_TRUE(holds(3, 7, 1, 9, "kk"));  // another key
}

TEST_F(RepairLayoutTest, GroupsShareNoUserKey) {
  EXPECT_EQ(Groups(comparator_, {Table(0, 1, "a", "c", 1, 2), Table(0, 2, "x", "z", 1, 2),
                                 Table(0, 3, "d", "f", 1, 2)}),
            "1|3|2");
  EXPECT_EQ(Groups(comparator_, {Table(0, 1, "a", "d", 1, 2), Table(0, 2, "d", "f", 1, 2),
                                 Table(0, 3, "g", "h", 1, 2)}),
            "1 2|3");
  // One long table connects others that do not overlap.
  EXPECT_EQ(Groups(comparator_, {Table(0, 1, "a", "z", 1, 2), Table(0, 2, "b", "c", 1, 2),
                                 Table(0, 3, "x", "y", 1, 2)}),
            "1 2 3");
}

TEST_F(RepairLayoutTest, GroupsFollowTheComparator) {
  const InternalKeyComparator reverse(testkit::ReverseComparator());
  EXPECT_EQ(Groups(reverse, {Table(0, 1, "c", "a", 1, 2), Table(0, 2, "z", "x", 1, 2)}), "2|1");
  const InternalKeyComparator letters(testkit::CaseInsensitiveComparator());
  EXPECT_EQ(Groups(letters, {Table(0, 1, "a", "C", 1, 2), Table(0, 2, "c", "X", 1, 2)}), "1 2");
}

TEST_F(RepairLayoutTest, TheLevelIsTheFirstThatIsLargeEnough) {
  EXPECT_EQ(LevelForBytes(0), 1);
  EXPECT_EQ(LevelForBytes(uint64_t{10} << 20), 1);
  EXPECT_EQ(LevelForBytes((uint64_t{10} << 20) + 1), 2);
  EXPECT_EQ(LevelForBytes(uint64_t{5} << 30), 4);
  EXPECT_EQ(LevelForBytes(uint64_t{1} << 60), 6);
}

}  // namespace
}  // namespace leveldb
