#include "db/open/record_numbering.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "entry/batch_cursor.h"
#include "filelog/log_writer.h"
#include "leveldb/helpers/memenv.h"
#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

class RecordNumberingTest : public testing::Test {
 protected:
  static constexpr SequenceNumber kNone = ~SequenceNumber{0};

  static std::string Batch(SequenceNumber sequence, uint32_t count, const std::string& value = "") {
    std::string batch(kBatchHeaderSize, '\0');
    SetBatchSequence(&batch, sequence);
    SetBatchCount(&batch, count);
    for (uint32_t i = 0; i < count; i++) {
      batch.push_back(kTypeValue);
      AppendLengthPrefixed(&batch, "key");
      AppendLengthPrefixed(&batch, value);
    }
    return batch;
  }

  void Reset(SequenceNumber base) {
    numbering_ =
        std::make_unique<RecordNumbering>(env_.get(), base, RecordNumbering::ReadErrors::kFail);
  }

  // Writes a log and numbers its records. Returns the first number of each, or kNone if the record
  // must not be applied.
  std::vector<SequenceNumber> Number(const std::string& path,
                                     const std::vector<std::string>& records) {
    WritableFile* file = nullptr;
    EXPECT_TRUE(env_->NewWritableFile(path, &file).ok());
    const std::unique_ptr<WritableFile> owned(file);
    LogWriter writer(file);
    for (const std::string& record : records) EXPECT_TRUE(writer.AddRecord(record).ok());
    numbering_->BeginLog(path);
    std::vector<SequenceNumber> numbers;
    for (const std::string& record : records) {
      bool applies = false;
      SequenceNumber first = 0;
      last_status_ = numbering_->Number(record, &applies, &first);
      numbers.push_back(applies ? first : kNone);
    }
    return numbers;
  }

  using Numbers = std::vector<SequenceNumber>;

  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  std::unique_ptr<RecordNumbering> numbering_;
  Status last_status_;
};

TEST_F(RecordNumberingTest, RecordsKeepNumbersAboveAllBefore) {
  Reset(5);
  EXPECT_EQ((Numbers{6, 20, 23}), Number("/5", {Batch(6, 2), Batch(20, 3), Batch(23, 1)}));
  EXPECT_EQ(23u, numbering_->last());
  EXPECT_EQ(0u, numbering_->renumbered());
}

TEST_F(RecordNumberingTest, OthersGetTheNext) {
  Reset(5);
  EXPECT_EQ((Numbers{6, 8, 20, 23, 25}),
            Number("/5", {Batch(5, 2), Batch(0, 1), Batch(20, 3), Batch(19, 2), Batch(22, 1)}));
  EXPECT_EQ(3u, numbering_->renumbered());
}

TEST_F(RecordNumberingTest, ARepeatedRecordHasNoEffect) {
  Reset(0);
  EXPECT_EQ((Numbers{10, 20, kNone}),
            Number("/5", {Batch(10, 1, "a"), Batch(20, 1, "b"), Batch(10, 1, "a")}));
  EXPECT_EQ(1u, numbering_->skipped());
  EXPECT_EQ((Numbers{30}), Number("/6", {Batch(30, 1, "c")}));
  EXPECT_EQ(0u, numbering_->skipped());
  EXPECT_EQ((Numbers{kNone, 31, kNone, 40}),
            Number("/9", {Batch(10, 1, "a"), Batch(20, 1, "B"), Batch(30, 1, "c"), Batch(40, 1)}));
  EXPECT_EQ(2u, numbering_->skipped());
  EXPECT_EQ(1u, numbering_->renumbered());
  EXPECT_EQ((Numbers{kNone, kNone, kNone}),
            Number("/10", {Batch(20, 1, "B"), Batch(20, 1, "b"), Batch(40, 1)}));
}

TEST_F(RecordNumberingTest, DamagedRecordsAreNotCountedAsRepeated) {
  Reset(0);
  std::string damaged = Batch(8, 2);
  damaged.pop_back();
  EXPECT_EQ((Numbers{7, kNone, kNone, kNone}),
            Number("/5", {Batch(7, 1), damaged, Batch(7, 1), damaged}));
  EXPECT_TRUE(last_status_.IsCorruption());
  EXPECT_EQ(1u, numbering_->skipped());
}

TEST_F(RecordNumberingTest, TheHighestIsTheEnd) {
  Reset(0);
  EXPECT_EQ((Numbers{kNone}), Number("/5", {Batch(kMaxSequenceNumber, 2)}));
  EXPECT_EQ((Numbers{kMaxSequenceNumber - 1, kNone}),
            Number("/6", {Batch(kMaxSequenceNumber - 1, 2), Batch(1, 1)}));
  EXPECT_TRUE(last_status_.IsCorruption());
}

TEST_F(RecordNumberingTest, ALogThatCannotBeReadAgainIsAnError) {
  Reset(0);
  EXPECT_EQ((Numbers{7}), Number("/5", {Batch(7, 1)}));
  ASSERT_TRUE(env_->RemoveFile("/5").ok());
  EXPECT_EQ((Numbers{kNone}), Number("/6", {Batch(7, 1)}));
  EXPECT_TRUE(last_status_.IsNotFound());
}

TEST_F(RecordNumberingTest, NumbersRiseWhateverTheRecordsSay) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  Reset(10);
  SequenceNumber last = 10;
  for (int log = 0; log < 10; log++) {
    std::vector<std::string> records;
    for (int i = 0; i < testkit::Scaled(300); i++) {
      records.push_back(Batch(dice.Below(5000), 1 + static_cast<uint32_t>(dice.Below(5))));
    }
    const Numbers numbers = Number("/" + std::to_string(log), records);
    for (size_t i = 0; i < numbers.size(); i++) {
      if (numbers[i] == kNone) continue;
      ASSERT_GT(numbers[i], last);
      last = numbers[i] + BatchCount(records[i]) - 1;
    }
    ASSERT_EQ(last, numbering_->last());
  }
}

}  // namespace
}  // namespace leveldb
