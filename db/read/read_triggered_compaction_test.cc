#include "db/read/read_triggered_compaction.h"

#include <memory>
#include <string>

#include "db/version/tree_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"

namespace leveldb {
namespace {

class ReadTriggeredCompactionTest : public testing::Test, private ReadTriggeredCompactionSink {
 protected:
  // Returns a view of trees of 1,000 entries.
  std::shared_ptr<const ReadView> View(const TreeLevels& levels, size_t memtable_bytes = 0) {
    VersionEdit edit;
    for (int level = 0; level < kGroupLevels; level++) {
      for (const TreePtr& tree : levels[level]) edit.pmem().AddTree(level, tree->record(), tree);
    }
    VersionBuilder builder(&comparator_, std::make_shared<Version>(&comparator_));
    builder.Apply(edit);
    VersionPtr version;
    EXPECT_TRUE(builder.Build(&version).ok());
    auto memtable = std::make_shared<MemTable>(&comparator_);
    if (memtable_bytes > 0) memtable->Add(1, kTypeValue, "k", std::string(memtable_bytes, 'v'));
    return std::make_shared<ReadView>(memtable, nullptr, version);
  }

  TreePtr NewTree(uint64_t number) {
    TreeRecord record = MakeTreeRecord(number, InternalKey("a", 9, kTypeValue),
                                       InternalKey("z", 1, kTypeValue), 64 << 10, 1 << 20);
    record.entries = 1000;
    return MakeTree(&comparator_, record);
  }

  // Returns how many reads are made until a merge is suggested, or `most` if none is.
  template <typename Read>
  int Reads(const Read& read, int most) {
    for (int i = 1; i <= most; i++) {
      if (!read()) continue;
      compaction_.Suggest();
      return i;
    }
    return most;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  SequenceNumber last_sequence_ = 1;
  int runs_read_ = 0;
  int suggested_ = 0;
  bool was_quiet_ = false;
  ReadTriggeredCompaction compaction_{this};

 private:
  SequenceNumber LastSequence() const override { return last_sequence_; }
  void OnRunsRead() override { runs_read_++; }
  void OnReadTriggeredCompaction(bool is_quiet) override {
    suggested_++;
    was_quiet_ = is_quiet;
  }
};

TEST_F(ReadTriggeredCompactionTest, OneRunOrNoneIsNeverTooMany) {
  TreeLevels levels;
  const auto none = View(levels);
  levels[1] = {NewTree(1)};
  const auto one = View(levels, 1000);
  for (const auto& view : {none, one}) {
    for (uint64_t i = 0; i < 100000; i++) {
      EXPECT_FALSE(compaction_.OnGet(*view, i) || compaction_.OnSeek(*view) ||
                   compaction_.OnSteps(*view, 1000));
    }
  }
}

TEST_F(ReadTriggeredCompactionTest, ReadsPayForEachRunUpToTheCostOfAMerge) {
  TreeLevels levels;
  levels[0] = {NewTree(3), NewTree(2)};
  const auto two = View(levels);
  levels[1] = {NewTree(1)};
  levels[2] = {NewTree(4)};
  const auto four = View(levels);
  const auto busily = [this](bool pays) {
    last_sequence_++;
    return pays;
  };

  // 2,000 entries at 50 ns; 700 ns for a seek.
  EXPECT_EQ(143, Reads([&] { return busily(compaction_.OnSeek(*two)); }, 1000));
  EXPECT_EQ(143, Reads([&] { return busily(compaction_.OnSeek(*two)); }, 1000)) << "it begins anew";
  // 3,000 entries, and three runs beyond the first.
  EXPECT_EQ(72, Reads([&] { return busily(compaction_.OnSeek(*four)); }, 1000));
  EXPECT_EQ(40, Reads([&] { return busily(compaction_.OnSteps(*two, 100)); }, 1000));
  uint64_t hash = 0;
  EXPECT_EQ(1152, Reads([&] { return busily(compaction_.OnGet(*two, ++hash)); }, 10000))
      << "18 of 64 each";
  EXPECT_EQ(5, suggested_);
  EXPECT_FALSE(was_quiet_);
}

TEST_F(ReadTriggeredCompactionTest, WhereNobodyWritesItIsCheaperAndAMemtableIsARun) {
  TreeLevels levels;
  levels[1] = {NewTree(1)};
  const auto view = View(levels, 100 << 10);
  EXPECT_TRUE(MemtableIsRun(*view));
  EXPECT_FALSE(MemtableIsRun(*View(levels, 1000)));
  EXPECT_EQ(72, Reads([&] { return compaction_.OnSeek(*view); }, 1000))
      << "there were writes before";
  EXPECT_FALSE(was_quiet_);
  EXPECT_EQ(18, Reads([&] { return compaction_.OnSeek(*view); }, 1000));
  EXPECT_TRUE(was_quiet_);
  last_sequence_++;
  EXPECT_EQ(72, Reads([&] { return compaction_.OnSeek(*view); }, 1000));
  EXPECT_FALSE(was_quiet_);
}

}  // namespace
}  // namespace leveldb
