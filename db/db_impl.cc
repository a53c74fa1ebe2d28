#include "db/db_impl.h"

#include <algorithm>
#include <utility>

#include "db/drain.h"
#include "db/properties.h"
#include "db/read/db_iter.h"
#include "db/read/point_get.h"
#include "db/read/source_iter.h"
#include "db/version/approximate_offset.h"
#include "db/write/file_log.h"
#include "db/write/pool_log.h"
#include "leveldb/write_batch.h"
#include "pmem/pmem_tier.h"
#include "util/epoch.h"

namespace leveldb {

namespace {

std::unique_ptr<WriteLog> NewWriteLog(OpenParts* parts) {
  DbState* const state = parts->state.get();
  PmemTier* const tier = parts->tier.get();
  if (tier == nullptr) {
    return std::make_unique<FileLog>(state, parts->log_number, std::move(parts->log_file),
                                     parts->log_length);
  }
  PoolLogContext context;
  context.pool = tier->pool();
  context.extents = tier->extents();
  context.stats = tier->stats();
  context.value_separation_bytes = tier->options().value_separation_bytes;
  context.wal_persist_bytes = tier->options().wal_persist_bytes;
  return std::make_unique<PoolLog>(context, std::move(parts->pool_stores),
                                   std::move(parts->pool_log), parts->pool_log_first_sequence);
}

}  // namespace

DbImpl::DbImpl(std::unique_ptr<OpenParts> parts)
    : parts_(std::move(parts)),
      state_(parts_->state.get()),
      pool_(state_->tier() == nullptr ? nullptr : state_->tier()->pool()),
      write_queue_(state_, NewWriteLog(parts_.get())) {
  parts_->scheduler->SetOnIdle([this] { OnIdle(); });
}

DbImpl::~DbImpl() {
  parts_->scheduler->Close();
}

Status DbImpl::Put(const WriteOptions& options, const Slice& key, const Slice& value) {
  return write_queue_.Put(key, value, options.sync);
}

Status DbImpl::Delete(const WriteOptions& options, const Slice& key) {
  return write_queue_.Delete(key, options.sync);
}

Status DbImpl::Write(const WriteOptions& options, WriteBatch* updates) {
  return write_queue_.Write(updates, options.sync);
}

// REQUIRES: the view was taken before this call: a newer view may lack versions that this sequence
// needs.
SequenceNumber DbImpl::ReadSequence(const ReadOptions& options) const {
  return options.snapshot != nullptr
             ? static_cast<const ListedSnapshot*>(options.snapshot)->sequence()
             : state_->versions->LastSequence();
}

// Returns an error in a forked child, in which the pool's memory is not mapped.
Status DbImpl::CheckPoolIsMapped() const {
  return pool_ == nullptr ? Status::OK() : state_->CheckNotForked();
}

// With the tier, paranoid checks verify checksums on every read.
ReadOptions DbImpl::WithChecks(const ReadOptions& asked) const {
  ReadOptions options = asked;
  if (pool_ != nullptr && state_->options().paranoid_checks) options.verify_checksums = true;
  return options;
}

Status DbImpl::Get(const ReadOptions& asked, const Slice& key, std::string* value) {
  const Status mapped = CheckPoolIsMapped();
  if (!mapped.ok()) return mapped;
  const ReadOptions options = WithChecks(asked);
  bool compaction_pays = false;
  Status status = GuardedGet(options, key, value, &compaction_pays);
  if (compaction_pays) read_triggered_compaction_.Suggest();
  return status;
}

Status DbImpl::GuardedGet(const ReadOptions& options, const Slice& key, std::string* value,
                          bool* compaction_pays) {
  EpochGuard guard;
  const ReadView* const view = state_->current_view.Get();
  const LookupKey lookup(key, ReadSequence(options));
  LookupTrace trace;
  Status status = PointGet(*view, parts_->table_cache.get(), options, lookup,
                           ValueResolver(pool_, options.verify_checksums), value, &trace);
  if (trace.file != nullptr) ChargeSeek(*trace.file, trace.level, this);
  if (trace.asked_group) *compaction_pays = read_triggered_compaction_.OnGet(*view, lookup.hash());
  return status;
}

Iterator* DbImpl::NewIterator(const ReadOptions& asked) {
  const ReadOptions options = WithChecks(asked);
  const Status mapped = CheckPoolIsMapped();
  if (!mapped.ok()) return NewErrorIterator(mapped);
  DbIterSources sources;
  sources.view = state_->current_view.Pin();
  sources.sequence = ReadSequence(options);
  sources.values = ValueResolver(pool_, options.verify_checksums);
  sources.comparator = &state_->comparator();
  sources.read_ahead = std::make_unique<ReadAhead>(&read_ahead_habit_);
  sources.entries.reset(NewSourceIterator(*sources.view, parts_->table_cache.get(), options,
                                          sources.read_ahead.get()));
  sources.seek_sink = this;
  if (pool_ != nullptr) sources.read_triggered_compaction = &read_triggered_compaction_;
  Iterator* const iterator = NewDbIterator(std::move(sources));
  // Runs after the iterator has released its view: tables that only this view kept may be removed.
  iterator->RegisterCleanup(
      [](void* arg, void*) {
        DbState* const state = static_cast<DbState*>(arg);
        if (state->IsInForkedChild()) return;
        PmemTier* const tier = state->tier();
        const bool has_retired_trees = tier != nullptr && !tier->retired()->empty();
        if (has_retired_trees || !state->obsolete_files.empty()) state->work_signal->Raise();
      },
      state_, nullptr);
  return iterator;
}

// In a forked child no data is removed, so a snapshot there need not be in the list, which a thread
// of the parent may have been changing during the fork.
const Snapshot* DbImpl::GetSnapshot() {
  if (state_->IsInForkedChild()) return new ListedSnapshot(state_->versions->LastSequence());
  MutexLock lock(&state_->mutex);
  return state_->snapshots.Take(state_->versions->LastSequence());
}

void DbImpl::ReleaseSnapshot(const Snapshot* snapshot) {
  if (state_->IsInForkedChild()) return;
  MutexLock lock(&state_->mutex);
  state_->snapshots.Release(static_cast<const ListedSnapshot*>(snapshot));
}

bool DbImpl::GetProperty(const Slice& property, std::string* value) {
  return ReadProperty(state_, *parts_->table_cache, property, value);
}

void DbImpl::GetApproximateSizes(const Range* range, int n, uint64_t* sizes) {
  if (!CheckPoolIsMapped().ok()) {
    std::fill_n(sizes, n, 0);
    return;
  }
  const std::shared_ptr<const ReadView> view = state_->current_view.Pin();
  // The contents of memtables are also in the pool, in its logs. LevelDB counts files only.
  const bool has_tier = state_->tier() != nullptr;
  const auto offset_of = [&](const Slice& user_key) {
    const InternalKey key(user_key, kMaxSequenceNumber, kSeekType);
    uint64_t offset = ApproximateOffsetOf(*view->version, parts_->table_cache.get(), key.Encode());
    for (const MemTable* const memtable : {view->memtable.get(), view->immutable.get()}) {
      if (has_tier && memtable != nullptr) offset += memtable->ApproximateOffset(key.Encode());
    }
    return offset;
  };
  for (int i = 0; i < n; i++) {
    const uint64_t start = offset_of(range[i].start);
    const uint64_t limit = offset_of(range[i].limit);
    sizes[i] = limit > start ? limit - start : 0;
  }
}

void DbImpl::CompactRange(const Slice* begin, const Slice* end) {
  // Errors are reported by the next write and in LOG; this function cannot return them.
  if (!write_queue_.SwitchMemtable().ok()) return;
  if (!parts_->scheduler->WaitForFlush().ok()) return;
  parts_->scheduler->CompactGroup(begin, end);
  parts_->scheduler->SpillOntoTables(begin, end);
  // Determines the deepest level again after each step: tables may have been moved deeper
  // meanwhile.
  for (int level = 0; level < std::max(DeepestLevel(begin, end), 1); level++) {
    parts_->scheduler->CompactLevel(level, begin, end);
  }
  parts_->scheduler->CleanUp();
}

// Returns the deepest level with tables in the range; 0 if there is none.
int DbImpl::DeepestLevel(const Slice* begin, const Slice* end) const {
  const std::shared_ptr<const ReadView> view = state_->current_view.Pin();
  int level = kNumLevels - 1;
  while (level > 0 && !view->version->OverlapInLevel(level, begin, end)) level--;
  return level;
}

Status DbImpl::Drain() {
  const Status mapped = CheckPoolIsMapped();
  if (!mapped.ok()) return mapped;
  MutexLock lock(&drain_mutex_);
  return DrainDatabase(parts_.get(), &write_queue_);
}

SequenceNumber DbImpl::LastSequence() const {
  return state_->versions->LastSequence();
}

void DbImpl::OnRunsRead() {
  if (!state_->runs_are_read.load(std::memory_order_relaxed)) {
    state_->runs_are_read.store(true, std::memory_order_relaxed);
  }
}

void DbImpl::OnReadTriggeredCompaction(bool is_quiet) {
  const std::shared_ptr<const ReadView> view = state_->current_view.Pin();
  StartReadTriggeredCompaction(*view, is_quiet && MemtableIsRun(*view));
}

// No read has requested this compaction, so a memtable that is far from full is not flushed: trees
// of that size would add levels.
void DbImpl::OnIdle() {
  const std::shared_ptr<const ReadView> view = state_->current_view.Pin();
  StartReadTriggeredCompaction(
      *view, view->memtable->UserBytes() >= state_->options().write_buffer_size / 2);
}

// Flushes the memtable first, so that the resulting tree is merged with the rest. Must not make the
// caller wait.
void DbImpl::StartReadTriggeredCompaction(const ReadView& view, bool with_memtable) {
  PmemTier* const tier = state_->tier();
  if (tier == nullptr) return;
  const bool has_room = tier->extents()->use() < tier->options().spill_start;
  if (with_memtable && has_room && view.immutable == nullptr) {
    // A failure is also reported by the next write.
    static_cast<void>(write_queue_.SwitchMemtable());
  } else {
    parts_->scheduler->SuggestReadTriggeredCompaction();
  }
}

void DbImpl::OnSeeksExhausted(const FileMetaPtr& file, int level) {
  parts_->scheduler->SuggestCompaction({file, level});
}

}  // namespace leveldb
