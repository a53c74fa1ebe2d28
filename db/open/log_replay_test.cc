#include "db/open/log_replay.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/files/filename.h"
#include "db/jobs/scheduler.h"
#include "db/version/internal_key_order.h"
#include "entry/batch_cursor.h"
#include "filelog/log_writer.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

class LogReplayTest : public testing::Test {
 protected:
  LogReplayTest() : env_(NewMemEnv(Env::Default())) { Reset(/*paranoid=*/false); }

  // `sequence` is the manifest's last one.
  void Reset(bool paranoid, SequenceNumber sequence = 0) {
    Options options;
    options.env = env_.get();
    options.paranoid_checks = paranoid;
    replay_.reset();
    scheduler_.reset();
    table_cache_.reset();
    state_ = std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options));
    table_cache_ = std::make_unique<TableCache>("/db", state_->options(), 10,
                                                InternalKeyOrder(state_->comparator()));
    scheduler_ = std::make_unique<Scheduler>(state_.get(), table_cache_.get());
    state_->versions->SetLastSequence(sequence);
    replay_ = std::make_unique<LogReplay>(scheduler_->context(), &edit_);
  }

  static std::string Batch(SequenceNumber sequence, const std::string& keys,
                           const std::string& value = "v") {
    std::string batch(kBatchHeaderSize, '\0');
    SetBatchSequence(&batch, sequence);
    SetBatchCount(&batch, static_cast<uint32_t>(keys.size()));
    for (const char key : keys) {
      batch.push_back(kTypeValue);
      AppendLengthPrefixed(&batch, Slice(&key, 1));
      AppendLengthPrefixed(&batch, value);
    }
    return batch;
  }

  void WriteLog(uint64_t number, const std::vector<std::string>& records) {
    WritableFile* file = nullptr;
    ASSERT_TRUE(env_->NewWritableFile(LogFileName("/db", number), &file).ok());
    const std::unique_ptr<WritableFile> owned(file);
    LogWriter writer(file);
    for (const std::string& record : records) ASSERT_TRUE(writer.AddRecord(record).ok());
  }

  bool Has(const std::string& key) { return !ValueOf(key).empty(); }

  // Returns the newest version in memory, or an empty string if there is none.
  std::string ValueOf(const std::string& key) {
    ValueType type;
    Slice value;
    const bool found = replay_->memtable()->Find(LookupKey(key, kMaxSequenceNumber), &type, &value);
    return found ? value.ToString() : "";
  }

  const std::unique_ptr<Env> env_;
  VersionEdit edit_;
  std::unique_ptr<DbState> state_;
  std::unique_ptr<TableCache> table_cache_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<LogReplay> replay_;
};

TEST_F(LogReplayTest, BringsBackEveryRecordInOrder) {
  WriteLog(5, {Batch(1, "ab"), Batch(3, "c")});
  WriteLog(6, {Batch(4, "a")});
  uint64_t length;
  ASSERT_TRUE(replay_->Replay(5).ok());
  EXPECT_TRUE(replay_->LastLogIsReusable(&length));
  ASSERT_TRUE(replay_->Replay(6).ok());
  EXPECT_FALSE(replay_->LastLogIsReusable(&length));  // an older log is in memory as well
  EXPECT_EQ(4u, replay_->last_sequence());
  EXPECT_EQ(4u, replay_->memtable()->num_entries());
}

TEST_F(LogReplayTest, OfADamagedBatchNothingIsTaken) {
  std::string half = Batch(2, "bc");
  half.pop_back();
  WriteLog(5, {Batch(1, "a"), half, Batch(4, "d")});
  ASSERT_TRUE(replay_->Replay(5).ok());
  EXPECT_TRUE(Has("a"));
  EXPECT_FALSE(Has("b"));
  EXPECT_TRUE(Has("d"));
  EXPECT_EQ(4u, replay_->last_sequence());
  uint64_t length;
  EXPECT_FALSE(replay_->LastLogIsReusable(&length));

  Reset(/*paranoid=*/true);
  EXPECT_TRUE(replay_->Replay(5).IsCorruption());
}

TEST_F(LogReplayTest, SequencesOutOfRangeAreDamage) {
  std::string empty = Batch(uint64_t{1} << 60, "");
  WriteLog(5, {Batch(7, "a"), empty, Batch(kMaxSequenceNumber, "cd"), "short"});
  ASSERT_TRUE(replay_->Replay(5).ok());
  EXPECT_TRUE(Has("a"));
  EXPECT_FALSE(Has("c"));
  EXPECT_EQ(7u, replay_->last_sequence());
  EXPECT_EQ(std::vector<uint64_t>{5}, replay_->incomplete_logs());
}

TEST_F(LogReplayTest, RecordsThatRepeatSequencesAreNewerThanThoseBefore) {
  for (const bool paranoid : {false, true}) {
    Reset(paranoid);
    WriteLog(5, {Batch(7, "a", "old"), Batch(8, "b", "old"), Batch(8, "b", "new")});
    WriteLog(6, {Batch(7, "acd", "new"), Batch(10, "e", "new"), Batch(0, "f", "new")});
    ASSERT_TRUE(replay_->Replay(5).ok());
    EXPECT_EQ(9u, replay_->last_sequence());
    ASSERT_TRUE(replay_->Replay(6).ok());
    EXPECT_EQ(14u, replay_->last_sequence());
    for (const char* key : {"a", "b", "c", "d", "e", "f"}) EXPECT_EQ("new", ValueOf(key)) << key;
    EXPECT_TRUE(replay_->incomplete_logs().empty());
  }
}

TEST_F(LogReplayTest, ALogThatIsThereTwiceIsAppliedOnce) {
  const std::vector<std::string> records = {Batch(10, "k", "v1"), Batch(20, "k", "v2")};
  WriteLog(5, records);
  WriteLog(9, records);
  ASSERT_TRUE(replay_->Replay(5).ok());
  ASSERT_TRUE(replay_->Replay(9).ok());
  EXPECT_EQ("v2", ValueOf("k"));
  EXPECT_EQ(20u, replay_->last_sequence());
  EXPECT_EQ(2u, replay_->memtable()->num_entries());
}

TEST_F(LogReplayTest, WritesAreNewerThanWhatTheManifestKnowsOf) {
  Reset(/*paranoid=*/false, 100);
  WriteLog(5, {Batch(7, "a", "new")});
  ASSERT_TRUE(replay_->Replay(5).ok());
  EXPECT_EQ("new", ValueOf("a"));
  EXPECT_EQ(101u, replay_->last_sequence());
}

TEST_F(LogReplayTest, WhereNoSequencesAreLeftTheLogIsIncomplete) {
  WriteLog(5, {Batch(kMaxSequenceNumber, "a"), Batch(1, "b")});
  ASSERT_TRUE(replay_->Replay(5).ok());
  EXPECT_TRUE(Has("a"));
  EXPECT_FALSE(Has("b"));
  EXPECT_EQ(kMaxSequenceNumber, replay_->last_sequence());
  EXPECT_EQ(std::vector<uint64_t>{5}, replay_->incomplete_logs());
}

TEST_F(LogReplayTest, AMissingLogIsAnError) {
  EXPECT_FALSE(replay_->Replay(9).ok());
}

}  // namespace
}  // namespace leveldb
