#include "db/version/job_numbers.h"

#include <string>

#include "db/version/tree_text.h"
#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"

namespace leveldb {
namespace {

class JobNumbersTest : public testing::Test {
 protected:
  VersionEdit Adding(const std::string& text) { return ParseTrees(&comparator_, text); }

  // Returns "lowest number: what is dropped from there on", as the first edit of a manifest has it.
  std::string Beginning(uint64_t next_number, bool with_tier = true) const {
    VersionEdit edit;
    numbers_.AddTo(next_number, with_tier, &edit);
    std::string text = std::to_string(edit.next_file_number().value_or(0)) + ":";
    for (const VersionEdit::DeletedFile& file : edit.deleted_files()) {
      text += " L" + std::to_string(file.level) + " " + std::to_string(file.number);
    }
    for (const PmemEdit::DeletedTree& tree : edit.pmem().deleted_trees()) {
      text += " G" + std::to_string(tree.level) + " " + std::to_string(tree.number);
    }
    return text;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  JobNumbers numbers_;
};

TEST_F(JobNumbersTest, TheLowestIsThatOfTheOldestJob) {
  EXPECT_EQ("20:", Beginning(20));
  const JobNumbers::Ticket first = numbers_.Begin(20);
  EXPECT_EQ("20:", Beginning(30));
  const JobNumbers::Ticket second = numbers_.Begin(30);
  const JobNumbers::Ticket third = numbers_.Begin(30);
  EXPECT_EQ("20:", Beginning(40));
  numbers_.End(first);
  numbers_.End(second);
  EXPECT_EQ("30:", Beginning(40));
  numbers_.End(third);
  EXPECT_EQ("40:", Beginning(40));
}

TEST_F(JobNumbersTest, WhatIsDroppedIsToldAsLongAsAJobIsOlder) {
  const JobNumbers::Ticket first = numbers_.Begin(20);
  numbers_.NoteInstalled(Adding("G0: 21[a..b] 22[c..d]\nL1: 23[a..b]"));
  EXPECT_EQ("20:", Beginning(30));
  VersionEdit drop;
  drop.pmem().RemoveTree(1, 5);  // older than every job
  drop.pmem().RemoveTree(0, 22);
  drop.RemoveFile(2, 6);
  drop.RemoveFile(1, 23);
  numbers_.NoteInstalled(drop);
  EXPECT_EQ("20: L1 23 G0 22", Beginning(30));
  EXPECT_EQ("20: L1 23", Beginning(30, /*with_tier=*/false));
  const JobNumbers::Ticket second = numbers_.Begin(23);
  numbers_.End(first);
  EXPECT_EQ("23: L1 23", Beginning(30));
  numbers_.End(second);
  EXPECT_EQ("30:", Beginning(30));
}

TEST_F(JobNumbersTest, WhatIsMovedIsNotDropped) {
  numbers_.Begin(20);
  VersionEdit move = Adding("G1: 21[a..b]\nL2: 22[a..b]");
  move.pmem().RemoveTree(0, 21);
  move.RemoveFile(1, 22);
  numbers_.NoteInstalled(move);
  EXPECT_EQ("20:", Beginning(30));
  numbers_.NoteFailed(move);
  EXPECT_EQ("20:", Beginning(30));
}

TEST_F(JobNumbersTest, WhatAFailedEditAddsIsAsGoodAsDropped) {
  numbers_.Begin(20);
  VersionEdit merge = Adding("G1: 25[a..b]\nL2: 26[a..b]");
  merge.pmem().RemoveTree(0, 21);
  merge.RemoveFile(1, 22);
  numbers_.NoteFailed(merge);
  EXPECT_EQ("20: L2 26 G1 25", Beginning(30));
}

}  // namespace
}  // namespace leveldb
