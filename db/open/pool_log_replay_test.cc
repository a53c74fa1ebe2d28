#include "db/open/pool_log_replay.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/state/memtable_iterator.h"
#include "entry/compact_batch.h"
#include "leveldb/comparator.h"
#include "leveldb/helpers/memenv.h"
#include "pmem/media/pending_stores.h"
#include "pmem/value/value_reader.h"
#include "pmem/value/value_writer.h"
#include "pmem/wal/wal_writer.h"
#include "testing/comparators.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Says;

constexpr size_t kSeparationBytes = 100;

// Calls back before each sync.
class WatchedPersist final : public Persist {
 public:
  WatchedPersist(const PersistTarget& target, std::function<void()>* on_sync)
      : target_(NewPersist(target)), on_sync_(on_sync) {}

  void Copy(void* to, const void* from, size_t n) override { target_->Copy(to, from, n); }
  void Flush(const void* p, size_t n) override { target_->Flush(p, n); }
  void Fence() override { target_->Fence(); }
  Status Sync() override {
    if (*on_sync_) (*on_sync_)();
    return target_->Sync();
  }
  bool SurvivesPowerLoss() const override { return target_->SurvivesPowerLoss(); }
  std::string Name() const override { return target_->Name(); }
  PersistCounts counts() const override { return target_->counts(); }

 private:
  const std::unique_ptr<Persist> target_;
  std::function<void()>* const on_sync_;
};

class PoolLogReplayTest : public ::testing::Test {
 protected:
  PoolLogReplayTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    pool_options_.path = dir_.path();
    pool_options_.size = 16 << 20;
    pool_options_.extent_size = Pool::kExtentBytesMin;
    // The medium keeps the order of fenced stores, unless a test changes that.
    pool_options_.assume_pmem = testkit::IsInMemory(dir_.path());
    std::unique_ptr<Pool> pool;
    EXPECT_OK(Pool::Create(pool_options_, "/db", id_, &pool));
    EXPECT_OK(pool->RaiseEpoch());
    pool_options_.path = pool->path();
    Adopt(std::move(pool));
    Reopen();
  }

  void Adopt(std::unique_ptr<Pool> pool) {
    tier_ = std::make_unique<PmemTier>(std::move(pool), PmemTierOptions());
    state_ = std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options_));
    stores_ = std::make_unique<PendingStores>(tier_->persist(), /*deferred=*/false);
    values_ = std::make_unique<ValueWriter>(tier_->pool(), tier_->extents());
    held_ = std::make_shared<HeldExtents>(tier_->extents());
  }

  // Reopens the pool as after the end of the process.
  void Reopen() {
    logs_.clear();
    memtable_.reset();
    replay_.reset();
    values_.reset();
    held_.reset();
    state_.reset();
    tier_.reset();
    std::unique_ptr<Pool> pool;
    ASSERT_OK(Pool::Open(pool_options_, &id_, &pool));
    Adopt(std::move(pool));
  }

  WalWriter* NewLog(uint64_t number, const WalPredecessor& before, SequenceNumber first) {
    WalStart start;
    start.predecessor = before;
    start.first_sequence = first;
    std::unique_ptr<WalWriter> log;
    EXPECT_OK(WalWriter::Create(tier_->pool(), tier_->extents(), stores_.get(), number, start,
                                nullptr, held_, &log));
    values_->SetObject(number);
    values_->Abandon();  // the log has not named the extent
    first_ = first;
    next_ = first;
    logs_.push_back(std::move(log));
    return logs_.back().get();
  }

  // Returns the address of these bytes, near the beginning of the pool.
  char* Find(const std::string& bytes) {
    const PoolOffset begin = tier_->pool()->slabs()[0].begin;
    void* const found = memmem(tier_->pool()->At(begin), 8 << 20, bytes.data(), bytes.size());
    EXPECT_NE(nullptr, found);
    return static_cast<char*>(found);
  }

  bool IsSealed(const LogSlot& slot) {
    WalReader reader(*tier_->pool(), slot);
    EXPECT_OK(reader.Open());
    Slice record;
    std::string scratch;
    while (reader.ReadRecord(&record, &scratch)) {
    }
    return reader.sealed();
  }

  // Appends a put, with a reference if the value is long.
  void Put(WalWriter* log, const std::string& key, const std::string& value) {
    CompactBatchBuilder batch;
    batch.Start(next_++, first_);
    if (value.size() < kSeparationBytes) {
      batch.Put(key, value);
    } else {
      std::vector<PoolOffset> opened;
      ASSERT_OK(values_->Append(value, &reference_, &opened));
      if (!opened.empty()) {
        ASSERT_OK(log->NoteValueExtents(opened));
      }
      for (const PoolOffset extent : opened) held_->Adopt(extent);
      batch.Put(key, reference_);
    }
    ASSERT_OK(log->Append(batch.bytes()));
    tier_->persist()->Fence();
  }

  Status Replay() {
    replay_ = std::make_unique<PoolLogReplay>(state_.get(), tier_.get());
    const Status status = replay_->Replay(tier_->pool()->root()->Logs());
    if (status.ok()) memtable_ = replay_->BuildMemtable();
    return status;
  }

  // Returns what has been replayed: "key@sequence=value ", with long values as their length.
  std::string Contents() {
    std::string text;
    if (memtable_ == nullptr) return text;
    const std::unique_ptr<Iterator> entries(NewMemTableIterator(*memtable_));
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
      ParsedKey key;
      EXPECT_TRUE(ParseInternalKey(entries->key(), &key));
      std::string value = entries->value().ToString();
      if (key.type == kTypeValueRef) {
        ValueRef reference;
        EXPECT_TRUE(DecodeValueRef(value, &reference));
        EXPECT_OK(ReadValue(*tier_->pool(), reference, true, &value));
        value = std::to_string(value.size());
      }
      text += key.user_key.ToString() + "@" + std::to_string(key.sequence) + "=" +
              (key.type == kTypeDeletion ? "deleted" : value) + " ";
    }
    return text;
  }

  static std::string Long(char c, size_t size) { return std::string(size, c); }

  const testkit::TempDir dir_{testkit::Medium::kMemory};
  const std::unique_ptr<Env> env_;
  const PoolId id_ = PoolId::Random();
  Options options_;
  PoolOptions pool_options_;
  std::unique_ptr<PmemTier> tier_;
  std::unique_ptr<DbState> state_;
  std::unique_ptr<PendingStores> stores_;
  std::unique_ptr<ValueWriter> values_;
  std::shared_ptr<HeldExtents> held_;
  std::vector<std::unique_ptr<WalWriter>> logs_;
  SequenceNumber first_ = 0;
  SequenceNumber next_ = 0;
  ValueRef reference_;
  std::unique_ptr<PoolLogReplay> replay_;
  std::shared_ptr<MemTable> memtable_;
};

TEST_F(PoolLogReplayTest, NoLogs) {
  ASSERT_OK(Replay());
  EXPECT_EQ(nullptr, memtable_);
  EXPECT_EQ(0u, replay_->last_log().number);
}

TEST_F(PoolLogReplayTest, EntriesOfAllLogsInOrder) {
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "b", "1");
  Put(first, "a", Long('x', 1000));
  Put(first, "b", "3");
  first->Seal(3);
  WalWriter* const second = NewLog(8, {5, first->salt(), 3}, 4);
  Put(second, "b", Long('y', 200000));  // in chunks
  CompactBatchBuilder batch;
  batch.Start(5, 4);
  batch.Delete("a");
  batch.Put("c", Slice(""));
  ASSERT_OK(second->Append(batch.bytes()));
  const uint64_t salt = second->salt();
  Reopen();
  ASSERT_OK(Replay());
  EXPECT_EQ("a@5=deleted a@2=1000 b@4=200000 b@3=3 b@1=1 c@6= ", Contents());
  EXPECT_EQ(6u, replay_->last_sequence());
  EXPECT_TRUE((WalPredecessor{8, salt, 6}) == replay_->last_log());
  const uint64_t used = tier_->extents()->used_bytes();
  EXPECT_GT(used, 0u);
  memtable_.reset();
  replay_.reset();
  EXPECT_EQ(0u, tier_->extents()->used_bytes());  // the memtable has held everything
}

TEST_F(PoolLogReplayTest, UnderAnotherOrderOfKeys) {
  const Comparator* const comparator = testkit::CaseInsensitiveComparator();
  options_.comparator = comparator;
  Reopen();
  WalWriter* const log = NewLog(5, {}, 1);
  Put(log, "b", "1");
  Put(log, "A", "2");
  Put(log, "B", "3");
  Put(log, "a", "4");
  ASSERT_OK(Replay());
  EXPECT_EQ("a@4=4 A@2=2 B@3=3 b@1=1 ", Contents());
}

TEST_F(PoolLogReplayTest, ATornRecordEndsTheLogForGood) {
  WalWriter* const log = NewLog(5, {}, 1);
  Put(log, "a", "1");
  const std::string torn = "something that can be found";
  Put(log, "b", torn);
  char* const at = Find(torn);
  const char before = *at;
  *at = 'X';
  ASSERT_OK(Replay());
  EXPECT_EQ("a@1=1 ", Contents());
  EXPECT_EQ(1u, replay_->last_sequence());
  *at = before;  // the rest of the line arrives late, which must have no effect
  Reopen();
  ASSERT_OK(Replay());
  EXPECT_EQ("a@1=1 ", Contents());
}

TEST_F(PoolLogReplayTest, ATornValueUnderAGoodRecord) {
  WalWriter* const log = NewLog(5, {}, 1);
  Put(log, "a", Long('a', 500));
  Put(log, "b", Long('b', 500));
  *tier_->pool()->At(reference_.pool_offset + 250) ^= 1;
  ASSERT_OK(Replay());
  EXPECT_EQ("a@1=500 ", Contents());
  EXPECT_EQ(1u, replay_->last_sequence());
}

// The record is on the medium, but not the value that it refers to: no write of that log had been
// acknowledged.
TEST_F(PoolLogReplayTest, ALogThatBeginsWithATornValueIsForgotten) {
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "a", "1");
  first->Seal(1);
  const WalPredecessor before{5, first->salt(), 1};
  for (const uint64_t number : {6u, 7u}) {
    WalWriter* const second = NewLog(number, before, 2);
    Put(second, "b", Long('b', 500));
    *tier_->pool()->At(reference_.pool_offset) ^= 1;
    Reopen();
    ASSERT_OK(Replay());
    EXPECT_EQ("a@1=1 ", Contents());
    EXPECT_TRUE(before == replay_->last_log());
    Reopen();
    ASSERT_OK(Replay());
  }
}

TEST_F(PoolLogReplayTest, TwoCrashesInARow) {
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "a", "1");
  Put(first, "b", Long('b', 500));
  *tier_->pool()->At(reference_.pool_offset) ^= 1;
  Reopen();
  ASSERT_OK(Replay());
  WalWriter* const second = NewLog(6, replay_->last_log(), replay_->last_sequence() + 1);
  Put(second, "b", "2");
  Put(second, "c", Long('c', 500));
  *tier_->pool()->At(reference_.pool_offset) ^= 1;
  Reopen();
  ASSERT_OK(Replay());
  EXPECT_EQ("a@1=1 b@2=2 ", Contents());
  WalWriter* const third = NewLog(9, replay_->last_log(), replay_->last_sequence() + 1);
  Put(third, "d", "3");
  Reopen();
  ASSERT_OK(Replay());
  EXPECT_EQ("a@1=1 b@2=2 d@3=3 ", Contents());
}

TEST_F(PoolLogReplayTest, ALogThatIsMissingIsNoticed) {
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "a", "1");
  first->Seal(1);
  WalWriter* const second = NewLog(6, {5, first->salt(), 1}, 2);
  Put(second, "b", "2");
  second->Seal(2);
  WalWriter* const third = NewLog(7, {6, second->salt(), 2}, 3);
  Put(third, "c", "3");
  ASSERT_OK(tier_->pool()->root()->RemoveLog(6));
  EXPECT_TRUE(Says(Replay(), "does not follow log #5"));
  Reopen();
  ASSERT_OK(tier_->pool()->root()->RemoveLog(5));
  EXPECT_TRUE(Says(Replay(), "the log before it is missing"));
}

TEST_F(PoolLogReplayTest, AStaleLogInThePlaceOfThePredecessorIsNoticed) {
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "a", "1");
  first->Seal(1);
  WalWriter* const second = NewLog(6, {5, first->salt() + 1, 1}, 2);
  Put(second, "b", "2");
  EXPECT_TRUE(Says(Replay(), "does not follow log #5"));
}

TEST_F(PoolLogReplayTest, APredecessorThatEndsElsewhereIsNoticed) {
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "a", "1");
  first->Seal(1);
  NewLog(6, {5, first->salt(), 2}, 3);
  EXPECT_TRUE(Says(Replay(), "ends at write #1, and not at #2"));
}

TEST_F(PoolLogReplayTest, AnEndWithoutASealBeforeAnotherLog) {
  if (!pool_options_.assume_pmem) GTEST_SKIP() << "needs a tmpfs";
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "a", "1");
  WalWriter* const second = NewLog(6, {5, first->salt(), 1}, 2);
  Put(second, "b", "2");
  Reopen();
  EXPECT_TRUE(Replay().IsCorruption());
}

// The page cache writes pages to the medium in any order.
TEST_F(PoolLogReplayTest, ASealLostByTheMedium) {
  pool_options_.assume_pmem = false;
  Reopen();
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "a", "1");
  WalWriter* const second = NewLog(6, {5, first->salt(), 1}, 2);
  Put(second, "b", "2");
  Reopen();
  ASSERT_OK(Replay());
  EXPECT_EQ("a@1=1 ", Contents());
  EXPECT_EQ(1u, tier_->pool()->root()->Logs().size());
  EXPECT_EQ(1u, replay_->logs_left());
}

// If the replay is interrupted, the pool must not have a log that ends elsewhere than its successor
// says.
TEST_F(PoolLogReplayTest, LogsBehindATornEndAreGoneBeforeItIsSealed) {
  std::function<void()> on_sync;
  pool_options_.assume_pmem = false;
  pool_options_.persist_factory = [&on_sync](const PersistTarget& target) {
    return std::make_unique<WatchedPersist>(target, &on_sync);
  };
  Reopen();
  WalWriter* const first = NewLog(5, {}, 1);
  Put(first, "a", "1");
  Put(first, "b", "something that can be found");
  WalWriter* const second = NewLog(6, {5, first->salt(), 2}, 3);
  Put(second, "c", "2");
  NewLog(7, {6, second->salt(), 3}, 4);
  *Find("something that can be found") ^= 1;
  Reopen();
  int synced_without_seal = 0;
  int synced_with_seal = 0;
  on_sync = [&] {
    const std::vector<LogSlot> logs = tier_->pool()->root()->Logs();
    if (logs.size() > 1) return;
    IsSealed(logs[0]) ? ++synced_with_seal : ++synced_without_seal;
    EXPECT_GT(synced_without_seal, 0);
  };
  ASSERT_OK(Replay());
  on_sync = nullptr;
  EXPECT_GT(synced_with_seal, 0);
  EXPECT_EQ("a@1=1 ", Contents());
  EXPECT_EQ(1u, replay_->logs_left());
  EXPECT_EQ(5u, replay_->last_log().number);
}

// A seal may still be only in the page cache; later synced writes depend on what precedes them.
TEST_F(PoolLogReplayTest, ASealedLogIsSyncedWhereTheMediumNeedsIt) {
  pool_options_.assume_pmem = false;
  Reopen();
  WalWriter* const log = NewLog(5, {}, 1);
  Put(log, "a", "1");
  Put(log, "b", Long('b', 500));
  log->Seal(2);
  Reopen();
  const PersistCounts before = tier_->persist()->counts();
  ASSERT_OK(Replay());
  EXPECT_EQ("a@1=1 b@2=500 ", Contents());
  EXPECT_GE(tier_->persist()->counts().flushes, before.flushes + 2);  // the extent, the value
  EXPECT_GT(tier_->persist()->counts().syncs, before.syncs);
}

TEST_F(PoolLogReplayTest, APoolThatWasClosedInOrderHasNoTornEnd) {
  const std::string text = "something that can be found";
  for (const bool assume_pmem : {true, false}) {
    if (assume_pmem && !pool_options_.assume_pmem) continue;
    pool_options_.assume_pmem = assume_pmem;
    Reopen();
    stores_ = std::make_unique<PendingStores>(tier_->persist(), /*deferred=*/true);
    WalWriter* const log = NewLog(5, {}, 1);
    Put(log, "a", "1");
    Put(log, "b", text);
    log->Seal(2);
    *Find(text) ^= 1;
    ASSERT_OK(tier_->pool()->MarkClean());
    for (int i = 0; i < 2; i++) {
      Reopen();
      EXPECT_TRUE(Says(Replay(), "log #5"));
      EXPECT_TRUE(Says(Replay(), "has lost its end"));
    }
    ASSERT_OK(tier_->pool()->MarkInUse());
    Reopen();
    ASSERT_OK(Replay());
    EXPECT_EQ("a@1=1 ", Contents());
    ASSERT_OK(tier_->pool()->root()->RemoveLog(5));
  }
}

// Lost data must not be taken for data that was never written.
TEST_F(PoolLogReplayTest, ALostPageIsNoTornEnd) {
  pool_options_.guard_faults = true;
  Reopen();
  WalWriter* const log = NewLog(5, {}, 1);
  const PoolOffset first = held_->held()[0];
  Put(log, "a", "1");
  while (log->written_bytes() < 8192) Put(log, "b", Long('b', kSeparationBytes - 1));
  Reopen();
  const std::string bytes(tier_->pool()->At(first), 4096);
  for (const auto& file : std::filesystem::recursive_directory_iterator(dir_.path())) {
    if (file.is_regular_file() && file.file_size() > first + 4096) {
      std::filesystem::resize_file(file.path(), first + 4096);
    }
  }
  EXPECT_TRUE(Says(Replay(), "has lost a page"));
  EXPECT_TRUE(tier_->pool()->Lost());
  EXPECT_TRUE(bytes == std::string(tier_->pool()->At(first), 4096));
  EXPECT_EQ(1u, tier_->pool()->root()->Logs().size());
}

TEST_F(PoolLogReplayTest, GapsInTheSequenceAreRefused) {
  WalWriter* const log = NewLog(5, {}, 1);
  Put(log, "a", "1");
  next_++;
  Put(log, "b", "3");
  EXPECT_TRUE(Says(Replay(), "begins with write #3 instead of #2"));
}

TEST_F(PoolLogReplayTest, ASealOfAnotherSequenceIsRefused) {
  WalWriter* const log = NewLog(5, {}, 1);
  Put(log, "a", "1");
  log->Seal(7);
  EXPECT_TRUE(Says(Replay(), "ends at write #1, its seal says #7"));
}

TEST_F(PoolLogReplayTest, AReferenceIntoAnExtentThatIsNotNamedIsRefused) {
  WalWriter* const log = NewLog(5, {}, 1);
  std::vector<PoolOffset> opened;
  ValueRef reference;
  ASSERT_OK(values_->Append(Long('v', 500), &reference, &opened));
  for (const PoolOffset extent : opened) held_->Adopt(extent);
  CompactBatchBuilder batch;
  batch.Start(1, 1);
  batch.Put("a", reference);
  ASSERT_OK(log->Append(batch.bytes()));
  EXPECT_TRUE(Says(Replay(), "an extent that the log does not name"));
}

TEST_F(PoolLogReplayTest, ARecordThatMakesNoSenseIsRefused) {
  WalWriter* const log = NewLog(5, {}, 1);
  ASSERT_OK(log->Append("nonsense under a right sum"));
  EXPECT_TRUE(Replay().IsCorruption());
}

TEST_F(PoolLogReplayTest, SequencesOutOfRange) {
  NewLog(5, {}, kMaxSequenceNumber + 1);
  EXPECT_TRUE(Replay().IsCorruption());
}

}  // namespace
}  // namespace leveldb
