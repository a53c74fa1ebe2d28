// Writes through the queue to a log in the pool: what is where, what a power cut leaves, what a
// full pool does.
#include "db/write/pool_log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "db/state/db_state.h"
#include "db/write/write_queue.h"
#include "leveldb/helpers/memenv.h"
#include "pmem/media/held_extents.h"
#include "pmem/value/value_reader.h"
#include "pmem/wal/wal_reader.h"
#include "testing/dice.h"
#include "testing/pmem_sim.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::Loss;
using testkit::PmemImages;
using testkit::PmemSim;
using testkit::Scaled;
using testkit::ScratchPool;

constexpr uint64_t kPoolBytes = 32 << 20;
constexpr uint64_t kExtent = Pool::kExtentBytesMin;

class NoWork final : public WorkSignal {
 public:
  void Raise() override {}
  bool MakeSpace() override { return false; }
};

// "key=value", or "key-" for a tombstone.
std::string Entry(const Slice& key, ValueType type, const std::string& value) {
  return key.ToString() + (type == kTypeDeletion ? "-" : "=" + value);
}

// A database's way in, over a pool: without tables and jobs, and with a replay as simple as can be.
class Store {
 public:
  explicit Store(ScratchPool* scratch, uint64_t granularity = 0) : scratch_(scratch) {
    context_.value_separation_bytes = 256;
    context_.wal_persist_bytes = granularity;
  }
  ~Store() { Close(); }

  // Opens the queue with a new log behind those that are there. What they hold is in recovered().
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

  // As at the end of a process that comes to its end.
  void Close() {
    queue_.reset();
    state_.reset();
  }

  WriteQueue* queue() { return queue_.get(); }
  DbState* state() { return state_.get(); }
  Pool* pool() { return scratch_->pool(); }
  const PmemStats& stats() const { return stats_; }

  // Every entry of the logs that were there when the store was opened, in order; and what was wrong
  // with them, if anything: then the store is not open.
  const std::vector<std::string>& recovered() const { return recovered_; }
  const std::string& problem() const { return problem_; }

  // The value of the key, or "(none)".
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

  // The memtable that was full is in tables, as it were.
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
        Check(pool()->root()->RemoveLog(slot.number));  // nothing is in it
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
      for (const Place extent : extents) {
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
            Entry(cursor.key(), cursor.type(), Resolved(cursor.type(), cursor.value())));
        memtable->Add(cursor.sequence(), cursor.type(), cursor.key(), cursor.value());
      }
    }
    Check(reader->status());
  }

  // Also flushes what the record refers to.
  bool IsWhole(const Slice& record, const WalReader& reader) {
    const std::set<Place> named(reader.value_extents().begin(), reader.value_extents().end());
    CompactBatchCursor cursor(record, reader.start().first_sequence);
    while (cursor.Next()) {
      if (cursor.type() != kTypeValueRef) continue;
      ValueRef reference;
      Check(DecodeValueRef(cursor.value(), &reference), "no reference");
      if (!CheckValue(*pool(), reference).ok()) return false;
      std::vector<ValuePiece> pieces;
      Check(ListValuePieces(*pool(), reference, &pieces));
      for (const ValuePiece& piece : pieces) {
        Check(named.count(piece.place / kExtent * kExtent) == 1, "an extent that was not named");
        pool()->persist()->Flush(pool()->At(piece.place), piece.bytes);
      }
    }
    Check(cursor.status());
    return true;
  }

  ScratchPool* const scratch_;
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

// The parameter: the persistence granularity.
class PoolLogTest : public testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override { store_.Open(); }

  // Everything is there again after the pool was closed and opened.
  void Reopen() {
    store_.Close();
    ASSERT_TRUE(scratch_.Reopen().ok());
    store_.Open();
    ASSERT_EQ("", store_.problem());
  }

  ScratchPool scratch_{kPoolBytes};
  Store store_{&scratch_, GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Granularity, PoolLogTest, testing::Values(0, 1, 16384));

TEST_P(PoolLogTest, EntriesOfEveryKindAreReadAndReplayed) {
  const std::string large(1000, 'l');
  const std::string huge(3 * kExtent, 'h');
  ASSERT_TRUE(store_.queue()->Put("small", "s", false).ok());
  ASSERT_TRUE(store_.queue()->Put("large", large, false).ok());
  ASSERT_TRUE(store_.queue()->Put("", "", false).ok());
  WriteBatch batch;
  batch.Put("large", huge);
  batch.Delete("small");
  batch.Put("large2", large);
  ASSERT_TRUE(store_.queue()->Write(&batch, true).ok());
  EXPECT_EQ(4u, BatchSequence(WriteBatchAccess::Bytes(batch)));
  EXPECT_EQ(6u, store_.state()->versions->LastSequence());
  WriteBatch empty;
  ASSERT_TRUE(store_.queue()->Write(&empty, true).ok());
  ASSERT_TRUE(store_.queue()->Delete("nothing", false).ok());
  EXPECT_EQ(7u, store_.state()->versions->LastSequence());
  EXPECT_EQ(huge, store_.Get("large"));
  EXPECT_EQ(large, store_.Get("large2"));
  EXPECT_EQ("(none)", store_.Get("small"));
  EXPECT_EQ("", store_.Get(""));

  for (int round = 0; round < 2; round++) {
    Reopen();
    const std::vector<std::string> expected = {
        "small=s", "large=" + large, "=", "large=" + huge, "small-", "large2=" + large, "nothing-"};
    EXPECT_EQ(expected, store_.recovered());
    EXPECT_EQ(7u, store_.state()->versions->LastSequence());
    EXPECT_EQ(huge, store_.Get("large"));
  }
  ASSERT_TRUE(store_.queue()->Put("more", large, false).ok());
  Reopen();
  EXPECT_EQ(8u, store_.recovered().size());
}

TEST_P(PoolLogTest, LargeValuesAreNotCopiedIntoTheMemtable) {
  for (int i = 0; i < 100; i++) {
    ASSERT_TRUE(store_.queue()->Put(std::to_string(i), std::string(10000, 'v'), false).ok());
  }
  MutexLock lock(&store_.state()->mutex);
  const auto memtable = store_.state()->memtable();
  EXPECT_LT(memtable->MemoryUsage(), 20000u);
  EXPECT_EQ(100 * 10000u + 190u, memtable->UserBytes());
  EXPECT_EQ(memtable->UserBytes(), store_.stats().user_bytes.value());
  EXPECT_GE(store_.stats().value_bytes.value(), 100 * 10000u);
  EXPECT_GT(store_.stats().log_bytes.value(), 100 * 16u);
}

TEST_P(PoolLogTest, ASwitchedMemtableTakesItsExtentsWithIt) {
  const uint64_t used_before = scratch_.extents()->used_bytes();
  for (int i = 0; i < 30; i++) {
    ASSERT_TRUE(store_.queue()->Put(std::to_string(i), std::string(10000, 'a'), false).ok());
  }
  ASSERT_TRUE(store_.queue()->SwitchMemtable().ok());
  ASSERT_TRUE(store_.queue()->Put("0", std::string(1000, 'b'), false).ok());
  EXPECT_EQ(std::string(10000, 'a'), store_.Get("1"));
  EXPECT_EQ(std::string(1000, 'b'), store_.Get("0"));
  EXPECT_EQ(2u, store_.pool()->root()->Logs().size());
  EXPECT_GE(scratch_.extents()->used_bytes(), used_before + 5 * kExtent);
  store_.FinishFlush();
  // One for the log, one for the values of both memtables, two spare ones.
  EXPECT_EQ(4 * kExtent, scratch_.extents()->used_bytes());
  EXPECT_EQ(std::string(1000, 'b'), store_.Get("0"));
  Reopen();
  EXPECT_EQ(std::vector<std::string>{"0=" + std::string(1000, 'b')}, store_.recovered());
}

TEST_P(PoolLogTest, AFullPoolRefusesWritesUntilThereIsRoom) {
  std::vector<std::string> written;
  Status status;
  for (int i = 0; status.ok(); i++) {
    const std::string key = std::to_string(i);
    const std::string value(20000, static_cast<char>('a' + i % 26));
    status = store_.queue()->Put(key, value, false);
    if (status.ok()) written.push_back(Entry(key, kTypeValue, value));
  }
  EXPECT_TRUE(status.IsIOError());
  EXPECT_NE(std::string::npos, status.ToString().find(store_.pool()->path()));
  EXPECT_EQ(written.size(), store_.state()->versions->LastSequence());

  // There is room in the log and in the extent of values that is being filled.
  EXPECT_TRUE(store_.queue()->Put("huge", std::string(5 * kExtent, 'h'), false).IsIOError());
  // And for one more log: what is in the memtable may be flushed.
  ASSERT_TRUE(store_.queue()->SwitchMemtable().ok());
  for (int i = 0; i < 10; i++) {
    ASSERT_TRUE(store_.queue()->Put("small", "s", i % 2 == 0).ok());
    written.push_back("small=s");
  }
  EXPECT_EQ("(none)", store_.Get("huge"));
  for (int i = 0; i < 3; i++) {  // there is always room to open it
    Reopen();
    EXPECT_EQ(written, store_.recovered());
  }
}

TEST_P(PoolLogTest, TheLogMayMoveToAFile) {
  ASSERT_TRUE(store_.queue()->Put("a", std::string(1000, 'a'), false).ok());
  ASSERT_TRUE(store_.queue()->LeavePool().ok());
  EXPECT_EQ(std::string(1000, 'a'), store_.Get("a"));
  {
    MutexLock lock(&store_.state()->mutex);
    EXPECT_NE(nullptr, store_.state()->immutable());
    EXPECT_EQ(2u, store_.state()->log_numbers.size());
  }
  ASSERT_TRUE(store_.queue()->Put("b", std::string(1000, 'b'), true).ok());
  ASSERT_TRUE(store_.queue()->LeavePool().ok());
  EXPECT_EQ(std::string(1000, 'b'), store_.Get("b"));
  EXPECT_EQ(1u, store_.pool()->root()->Logs().size());
  Reopen();
  EXPECT_EQ(std::vector<std::string>{"a=" + std::string(1000, 'a')}, store_.recovered());
}

TEST_P(PoolLogTest, TheLogMayMoveToAFileBeforeTheFirstWrite) {
  ASSERT_TRUE(store_.queue()->LeavePool().ok());
  ASSERT_TRUE(store_.queue()->Put("b", "b", true).ok());
  EXPECT_EQ("b", store_.Get("b"));
  MutexLock lock(&store_.state()->mutex);
  EXPECT_EQ(nullptr, store_.state()->immutable());
  EXPECT_EQ(2u, store_.state()->log_numbers.size());
}

TEST_P(PoolLogTest, ConcurrentWritersAreAllServed) {
  constexpr int kThreads = 4;
  const int writes = Scaled(500);
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; t++) {
    writers.emplace_back([this, t, writes] {
      for (int i = 0; i < writes; i++) {
        const std::string key = std::to_string(t) + "." + std::to_string(i);
        const std::string value(i % 5 == 0 ? 700 : 5, static_cast<char>('a' + t));
        if (i % 3 == 0) {
          WriteBatch batch;
          batch.Put(key, value);
          batch.Put("last." + std::to_string(t), key);
          ASSERT_TRUE(store_.queue()->Write(&batch, i % 97 == 0).ok());
        } else {
          ASSERT_TRUE(store_.queue()->Put(key, value, i % 91 == 0).ok());
          ASSERT_TRUE(store_.queue()->Put("last." + std::to_string(t), key, false).ok());
        }
        ASSERT_EQ(key, store_.Get("last." + std::to_string(t)));
        ASSERT_EQ(value, store_.Get(key));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(uint64_t{kThreads} * writes * 2, store_.state()->versions->LastSequence());
  Reopen();
  EXPECT_EQ(uint64_t{kThreads} * writes * 2, store_.recovered().size());
}

TEST(PoolLogFenceTest, WithGranularityAtMostSoMuchIsUnfenced) {
  ScratchPool scratch(kPoolBytes);
  Store store(&scratch, 4096);
  store.Open();
  const uint64_t fences_before = scratch.pool()->persist()->counts().fences;
  for (int i = 0; i < 1000; i++) ASSERT_TRUE(store.queue()->Put("key", "0123456789", false).ok());
  const uint64_t fences = scratch.pool()->persist()->counts().fences - fences_before;
  EXPECT_GE(fences, 1000 * 16u / 4096);
  EXPECT_LE(fences, 500u);
}

TEST(PoolLogFenceTest, NothingStaysUnfencedForLong) {
  PmemSim sim;
  ScratchPool scratch(kPoolBytes, kExtent, sim.Factory());
  Store store(&scratch, 1 << 20);
  store.Open();
  for (int round = 0; round < 3; round++) {
    ASSERT_TRUE(store.queue()->Put("key", std::to_string(round), false).ok());
    const uint64_t fences = scratch.pool()->persist()->counts().fences;
    while (scratch.pool()->persist()->counts().fences == fences) std::this_thread::yield();
  }
  Dice dice(AnnouncedSeed());
  const PmemImages cut = sim.AfterPowerLoss(Loss::kDropAll, &dice);
  store.Close();
  scratch.Close();
  cut.Restore();
  ASSERT_TRUE(scratch.Reopen().ok());
  store.Open();
  EXPECT_EQ((std::vector<std::string>{"key=0", "key=1", "key=2"}), store.recovered());
}

// ---- power cuts ---------------------------------------------------------------------------------

struct Weather {
  PmemSim::Model model;
  uint64_t granularity;
};

// Random writes, a power cut at a random change of the medium, a replay, more writes, another cut:
// what is found is always a prefix of what was written, and has all that was promised.
class PowerCuts {
 public:
  PowerCuts(const Weather& weather, uint64_t seed)
      : weather_(weather),
        dice_(seed),
        cut_dice_(seed + 1),
        sim_(weather.model),
        scratch_(kPoolBytes, kExtent, sim_.Factory()),
        store_(&scratch_, weather.granularity) {
    if (weather.model == PmemSim::Model::kMsync) {
      scratch_.options()->assume_pmem = false;
      EXPECT_TRUE(scratch_.Reopen().ok());
    }
    store_.Open();
  }

  PmemSim* sim() { return &sim_; }
  size_t history_size() const { return history_.size(); }

  // Returns what went wrong, if anything.
  std::string Round() {
    constexpr Loss kLosses[] = {Loss::kDropAll, Loss::kInOrder, Loss::kTruncate, Loss::kTear,
                                Loss::kKeepAll};
    const Loss loss = kLosses[dice_.Below(5)];
    const uint64_t cut_at = sim_.changes() + dice_.Between(1, 60);
    PmemImages cut;
    size_t promised_at_cut = 0;
    std::atomic<bool> is_cut{false};
    sim_.SetChangeListener([&](uint64_t change) {  // one change at a time
      if (change < cut_at || is_cut) return;
      cut = sim_.AfterPowerLoss(loss, &cut_dice_);
      promised_at_cut = promised_;
      is_cut = true;
    });
    has_switched_ = false;
    while (!is_cut) Write();
    store_.Close();
    sim_.SetChangeListener({});
    scratch_.Close();
    cut.Restore();
    EXPECT_TRUE(scratch_.Reopen().ok());
    store_.Open();
    if (!store_.problem().empty()) return store_.problem();

    const std::vector<std::string>& found = store_.recovered();
    if (found.size() < promised_at_cut) return "lost what was promised";
    if (found.size() > history_.size()) return "found more than was written";
    history_.resize(found.size());
    promised_ = found.size();  // a replay makes it so
    return found == history_ ? "" : "found something else than was written";
  }

 private:
  void Write() {
    if (!has_switched_ && dice_.OneIn(15)) {
      has_switched_ = true;
      EXPECT_TRUE(store_.queue()->SwitchMemtable().ok());
    }
    WriteBatch batch;
    for (uint64_t n = dice_.OneIn(3) ? dice_.Between(2, 5) : 1; n > 0; n--) {
      const std::string key = std::to_string(dice_.Below(1000));
      if (dice_.OneIn(8)) {
        batch.Delete(key);
        history_.push_back(Entry(key, kTypeDeletion, ""));
      } else {
        const uint64_t limit = dice_.OneIn(30) ? 2 * kExtent : dice_.OneIn(2) ? 1500 : 50;
        const std::string value = dice_.Bytes(dice_.Below(limit));
        batch.Put(key, value);
        history_.push_back(Entry(key, kTypeValue, value));
      }
    }
    const bool sync = dice_.OneIn(10);
    const Status status = store_.queue()->Write(&batch, sync);
    EXPECT_TRUE(status.ok()) << status.ToString();
    const bool is_safe =
        sync || (weather_.granularity <= 1 && weather_.model == PmemSim::Model::kCacheLines);
    if (is_safe) promised_ = history_.size();
  }

  const Weather weather_;
  Dice dice_;
  Dice cut_dice_;
  PmemSim sim_;
  ScratchPool scratch_;
  Store store_;
  std::vector<std::string> history_;
  std::atomic<size_t> promised_{0};  // entries that have to survive
  bool has_switched_ = false;
};

class PoolLogPowerTest : public testing::TestWithParam<Weather> {};

INSTANTIATE_TEST_SUITE_P(Weather, PoolLogPowerTest,
                         testing::Values(Weather{PmemSim::Model::kCacheLines, 0},
                                         Weather{PmemSim::Model::kCacheLines, 1},
                                         Weather{PmemSim::Model::kCacheLines, 4096},
                                         Weather{PmemSim::Model::kMsync, 0},
                                         Weather{PmemSim::Model::kMsync, 4096}));

TEST_P(PoolLogPowerTest, APrefixSurvivesAnyNumberOfCuts) {
  const uint64_t seed = AnnouncedSeed();
  for (int run = 0; run < Scaled(3); run++) {
    PowerCuts cuts(GetParam(), seed + run);
    for (int round = 0; round < 10; round++) {
      ASSERT_EQ("", cuts.Round()) << "run " << run << ", round " << round;
    }
  }
}

// The alarm works.
TEST(PoolLogAlarmTest, AMissingFenceIsNoticed) {
  const uint64_t seed = AnnouncedSeed();
  for (int run = 0; run < 200; run++) {
    PowerCuts cuts({PmemSim::Model::kCacheLines, 0}, seed + run);
    for (int round = 0; round < 5; round++) {
      cuts.sim()->SkipFences(1 + round * 7, 5);
      if (!cuts.Round().empty()) return;
    }
  }
  FAIL() << "nobody noticed";
}

}  // namespace
}  // namespace leveldb
