// PoolLogStore is a write queue over a pool, for tests: without tables and jobs, and with a replay
// that is as simple as possible.
#ifndef BUSHSTORE_DB_WRITE_POOL_LOG_TEST_H_
#define BUSHSTORE_DB_WRITE_POOL_LOG_TEST_H_

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/state/db_state.h"
#include "db/write/pool_log.h"
#include "db/write/write_queue.h"
#include "leveldb/helpers/memenv.h"
#include "pmem/media/held_extents.h"
#include "pmem/value/value_reader.h"
#include "pmem/wal/wal_reader.h"
#include "testing/scratch_pool.h"

namespace leveldb {

constexpr uint64_t kTestPoolBytes = 32 << 20;
constexpr uint64_t kExtent = Pool::kExtentBytesMin;

class NoWork final : public WorkSignal {
 public:
  void Raise() override {}
  bool MakeSpace(uint64_t /*bytes*/) override { return false; }
};

// Returns "key=value", or "key-" for a tombstone.
inline std::string EntryText(const Slice& key, ValueType type, const std::string& value) {
  return key.ToString() + (type == kTypeDeletion ? "-" : "=" + value);
}

class PoolLogStore {
 public:
  explicit PoolLogStore(testkit::ScratchPool* scratch, uint64_t granularity = 0)
      : scratch_(scratch) {
    context_.value_separation_bytes = 256;
    context_.wal_persist_bytes = granularity;
  }
  ~PoolLogStore() { Close(); }

  // Opens the queue with a new log after the existing ones, whose entries are in recovered().
  void Open() {
    Pool* const pool = scratch_->pool();
    context_.pool = pool;
    context_.extents = scratch_->extents();
    context_.stats = &stats_;
    Options options;
    options.env = env_.get();
    state_ = std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options));
    state_->work_signal = &work_;
    auto memtable = std::make_shared<MemTable>(&state_->comparator());
    const WalPredecessor last = Replay(memtable.get());
    if (!problem_.empty()) return;
    const uint64_t number = next_number_ += 10;  // a memtable switch takes numbers, too
    {
      MutexLock lock(&state_->mutex);
      bool reused;
      ASSERT_TRUE(state_->versions->CreateFresh().ok());
      ASSERT_TRUE(state_->versions->Recover(&reused).ok());
      state_->versions->MarkFileNumberUsed(number);
      state_->versions->SetLastSequence(last.last_sequence);
      state_->log_numbers.push_back(number);
      state_->Publish(memtable, nullptr);
    }
    WalStart start;
    start.predecessor = last;
    start.first_sequence = last.last_sequence + 1;
    auto stores = PoolLog::NewStores(context_);
    auto held = std::make_shared<HeldExtents>(context_.extents);
    std::unique_ptr<WalWriter> wal;
    const Status status =
        WalWriter::Create(pool, context_.extents, stores.get(), number, start, nullptr, held, &wal);
    ASSERT_TRUE(status.ok()) << status.ToString();
    memtable->Hold(held);
    queue_ = std::make_unique<WriteQueue>(
        state_.get(), std::make_unique<PoolLog>(context_, std::move(stores), std::move(wal),
                                                start.first_sequence));
  }

  // Closes the store as at the orderly end of a process.
  void Close() {
    queue_.reset();
    state_.reset();
  }

  WriteQueue* queue() { return queue_.get(); }
  DbState* state() { return state_.get(); }
  Pool* pool() { return scratch_->pool(); }
  Extents* extents() { return scratch_->extents(); }
  const PmemStats& stats() const { return stats_; }

  // recovered() returns every entry of the logs that existed when the store was opened, in order.
  // problem() returns what was wrong with them, or an empty string; after a problem the store is
  // not open.
  const std::vector<std::string>& recovered() const { return recovered_; }
  const std::string& problem() const { return problem_; }

  // Returns the value of the key, or "(none)".
  std::string Get(const std::string& key) {
    const auto view = state_->current_view.Pin();
    const LookupKey lookup(key, state_->versions->LastSequence());
    ValueType type;
    Slice found;
    if (!view->memtable->Find(lookup, &type, &found) &&
        (view->immutable == nullptr || !view->immutable->Find(lookup, &type, &found))) {
      return "(none)";
    }
    return type == kTypeDeletion ? "(none)" : Resolved(type, found);
  }

  std::string Resolved(ValueType type, const Slice& value) {
    if (type != kTypeValueRef) return value.ToString();
    ValueRef reference;
    EXPECT_TRUE(DecodeValueRef(value, &reference));
    std::string whole;
    const Status status = ReadValue(*pool(), reference, /*verify_checksum=*/true, &whole);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return whole;
  }

  // Simulates that the full memtable has been flushed to tables.
  void FinishFlush() {
    MutexLock lock(&state_->mutex);
    state_->Publish(state_->memtable(), nullptr);
    state_->current_view.TakeRetired(/*all=*/true);
    while (state_->log_numbers.size() > 1) {
      ASSERT_TRUE(pool()->root()->RemoveLog(state_->log_numbers.front()).ok());
      state_->log_numbers.pop_front();
    }
  }

 private:
  void Check(const Status& status) { Check(status.ok(), status.ToString()); }
  void Check(bool is_right, const std::string& what) {
    if (!is_right && problem_.empty()) problem_ = what;
  }

  WalPredecessor Replay(MemTable* memtable) {
    recovered_.clear();
    problem_.clear();
    WalPredecessor last;
    bool is_sealed = true;
    const std::vector<LogSlot> logs = pool()->root()->Logs();
    for (const LogSlot& slot : logs) {
      WalReader reader(*pool(), slot);
      Check(reader.Open());
      if (!problem_.empty()) return last;
      if (last.number != 0 && !is_sealed && reader.start().unordered) {
        Check(pool()->root()->RemoveLog(slot.number));
        continue;
      }
      if (last.number != 0) {
        Check(is_sealed, "the log before is not sealed");
        Check(last == reader.start().predecessor, "does not follow the log before");
      }
      const WalPredecessor before = last;
      last = {slot.number, slot.salt, reader.start().first_sequence - 1};
      ReadRecords(&reader, memtable, &last.last_sequence);
      is_sealed = reader.sealed();
      Check(!is_sealed || reader.sealed_sequence() == last.last_sequence, "wrong seal");
      Check(SealRecoveredWal(pool(), reader, last.last_sequence));
      if (slot == logs.back() && last.last_sequence < reader.start().first_sequence) {
        Check(pool()->root()->RemoveLog(slot.number));  // it is empty
        last = before;
      } else {
        Hold(reader, memtable);
      }
    }
    return last;
  }

  void Hold(const WalReader& reader, MemTable* memtable) {
    auto held = std::make_shared<HeldExtents>(context_.extents);
    for (const auto& extents : {reader.extents(), reader.value_extents()}) {
      for (const PoolOffset extent : extents) {
        Check(context_.extents->MarkUsed(extent));
        held->Adopt(extent);
      }
    }
    memtable->Hold(std::move(held));
  }

  void ReadRecords(WalReader* reader, MemTable* memtable, SequenceNumber* last_sequence) {
    Slice record;
    std::string scratch;
    while (reader->ReadRecord(&record, &scratch)) {
      if (!IsWhole(record, *reader)) {
        Check(reader->Reject(Status::Corruption("torn value")));
        return;
      }
      CompactBatchCursor cursor(record, reader->start().first_sequence);
      while (cursor.Next()) {
        Check(cursor.sequence() == ++*last_sequence, "a gap in the sequences");
        recovered_.push_back(
            EntryText(cursor.key(), cursor.type(), Resolved(cursor.type(), cursor.value())));
        memtable->Add(cursor.sequence(), cursor.type(), cursor.key(), cursor.value());
      }
    }
    Check(reader->status());
  }

  // Returns whether the values that the record refers to are intact, and flushes them.
  bool IsWhole(const Slice& record, const WalReader& reader) {
    const std::set<PoolOffset> named(reader.value_extents().begin(), reader.value_extents().end());
    CompactBatchCursor cursor(record, reader.start().first_sequence);
    while (cursor.Next()) {
      if (cursor.type() != kTypeValueRef) continue;
      ValueRef reference;
      Check(DecodeValueRef(cursor.value(), &reference), "no reference");
      if (!CheckValue(*pool(), reference).ok()) return false;
      std::vector<ValuePiece> pieces;
      Check(ListValuePieces(*pool(), reference, &pieces));
      for (const ValuePiece& piece : pieces) {
        Check(named.count(piece.pool_offset & ~(pool()->extent_size() - 1)) == 1,
              "an extent that was not named");
        pool()->persist()->Flush(pool()->At(piece.pool_offset), piece.bytes);
      }
    }
    Check(cursor.status());
    return true;
  }

  testkit::ScratchPool* const scratch_;
  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  NoWork work_;
  PmemStats stats_;
  PoolLogContext context_;
  std::unique_ptr<DbState> state_;
  std::unique_ptr<WriteQueue> queue_;
  std::vector<std::string> recovered_;
  std::string problem_;
  uint64_t next_number_ = 0;
};

// The parameter is the persistence granularity.
class PoolLogTest : public testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override { store_.Open(); }

  // Closes the pool and opens it again. All entries must be recovered.
  void Reopen() {
    store_.Close();
    ASSERT_TRUE(scratch_.Reopen().ok());
    store_.Open();
    ASSERT_EQ("", store_.problem());
  }

  testkit::ScratchPool scratch_{kTestPoolBytes};
  PoolLogStore store_{&scratch_, GetParam()};
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_POOL_LOG_TEST_H_
