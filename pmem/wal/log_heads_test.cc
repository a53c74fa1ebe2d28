#include "pmem/wal/log_heads.h"

#include "pmem/wal/wal_test.h"

namespace leveldb {

namespace {

class LogHeadsTest : public WalTest {
 protected:
  // Creates logs #5, #6 and #7, each with a record and, except the last, a seal.
  void SetUp() override {
    WalTest::SetUp();
    WalPredecessor before;
    for (const uint64_t number : {5u, 6u, 7u}) {
      WalStart start;
      start.predecessor = before;
      start.first_sequence = number * 10;
      WalWriter* const previous = writers_.empty() ? nullptr : writers_.back().get();
      writers_.push_back(NewLog(number, start, previous));
      Append(writers_.back().get(), "record");
      slots_.push_back(Slot(number));
      before = {number, slots_.back().salt, number * 10};
    }
  }

  std::vector<LogSlot> Completed(std::vector<LogSlot> named, uint64_t least_number = 5) {
    left_over_ = AddUnnamedLogs(pool(), least_number, &named);
    return named;
  }

  // Overwrites the second log's record and what follows it, as if other data had been written
  // there.
  void OverwriteTheSecond() {
    char* const log = pool().At(slots_[1].first);
    char* const text = static_cast<char*>(memmem(log, 4096, "record", 6));
    ASSERT_NE(text, nullptr);
    std::memset(text, '?', 4096);
  }

  std::optional<LogSlot> Successor(const std::vector<LogSlot>& heads, const WalPredecessor& last,
                                   uint64_t least_number, bool is_whole = true) {
    return FindSuccessor(pool(), heads, last, least_number, [=](const Slice& record, uint64_t) {
      EXPECT_EQ(record.ToString(), "record");
      return is_whole;
    });
  }

  std::vector<std::unique_ptr<WalWriter>> writers_;  // they hold the extents
  std::vector<LogSlot> slots_;
  std::vector<LogSlot> left_over_;  // result of the last Completed call
};

TEST_P(LogHeadsTest, AreFoundWithoutTheRoot) {
  EXPECT_EQ(FindLogHeads(pool()), slots_);
}

TEST_P(LogHeadsTest, ASuccessorContinuesWhereTheLastOneEnds) {
  const std::vector<LogSlot> heads = FindLogHeads(pool());
  EXPECT_EQ(Successor(heads, {5, slots_[0].salt, 50}, 5), slots_[1]);
  EXPECT_EQ(Successor(heads, {5, slots_[0].salt, 49}, 5), std::nullopt);
  EXPECT_EQ(Successor(heads, {5, slots_[0].salt + 1, 50}, 5), std::nullopt);
  EXPECT_EQ(Successor(heads, {5, slots_[0].salt, 50}, 7), std::nullopt);
  EXPECT_EQ(Successor(heads, {7, slots_[2].salt, 70}, 5), std::nullopt);
  EXPECT_EQ(Successor(heads, {}, 5), slots_[0]);
  EXPECT_EQ(Successor(heads, {}, 7), slots_[2]);
}

TEST_P(LogHeadsTest, OfTwoSuccessorsTheNewerOneCounts) {
  WalStart start;
  start.predecessor = {7, slots_[2].salt, 70};
  const std::unique_ptr<WalWriter> rejected = NewLog(8, start, writers_.back().get());
  Append(rejected.get(), "record");
  const std::unique_ptr<WalWriter> newer = NewLog(9, start);
  Append(newer.get(), "record");
  EXPECT_EQ(Successor(FindLogHeads(pool()), start.predecessor, 5), Slot(9));
  EXPECT_EQ(Completed(slots_).back(), Slot(9));
}

TEST_P(LogHeadsTest, ALogWithoutRecordsIsNoSuccessor) {
  WalStart start;
  start.predecessor = {7, slots_[2].salt, 70};
  const std::unique_ptr<WalWriter> empty = NewLog(8, start, writers_.back().get());
  EXPECT_EQ(Successor(FindLogHeads(pool()), start.predecessor, 5), std::nullopt);
}

TEST_P(LogHeadsTest, ALogThatBeginsWithATornWriteIsNoSuccessor) {
  const std::vector<LogSlot> heads = FindLogHeads(pool());
  EXPECT_EQ(Successor(heads, {5, slots_[0].salt, 50}, 5, /*is_whole=*/false), std::nullopt);
}

TEST_P(LogHeadsTest, WhateverIsMissingIsAdded) {
  EXPECT_EQ(Completed(slots_), slots_);
  EXPECT_EQ(Completed({}), slots_);
  for (const LogSlot& named : slots_) EXPECT_EQ(Completed({named}), slots_);
  EXPECT_EQ(Completed({slots_[0], slots_[2]}), slots_);
  EXPECT_EQ(Completed({slots_[2]}, 6), (std::vector<LogSlot>{slots_[1], slots_[2]}));
}

TEST_P(LogHeadsTest, InFrontOfThoseNamedOnlyWholeOnesAreAdded) {
  EXPECT_EQ(Completed({slots_[2]}, 0), slots_);
  EXPECT_TRUE(left_over_.empty());
  ASSERT_NO_FATAL_FAILURE(OverwriteTheSecond());
  EXPECT_EQ(Completed({slots_[2]}, 0), std::vector<LogSlot>{slots_[2]});
  EXPECT_EQ(left_over_, (std::vector<LogSlot>{slots_[1], slots_[0]}));
  EXPECT_EQ(Completed({slots_[2]}, 6), std::vector<LogSlot>{slots_[2]});
  EXPECT_EQ(left_over_, std::vector<LogSlot>{slots_[1]});
}

TEST_P(LogHeadsTest, BetweenThoseNamedTheyAreAddedAsTheyAre) {
  ASSERT_NO_FATAL_FAILURE(OverwriteTheSecond());
  EXPECT_EQ(Completed({slots_[0], slots_[2]}), slots_);
  EXPECT_TRUE(left_over_.empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, LogHeadsTest, testing::Bool(), [](const auto& instance) {
  return instance.param ? "Deferred" : "Fenced";
});

}  // namespace

}  // namespace leveldb
