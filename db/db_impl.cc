#include "db/db_impl.h"

#include <algorithm>
#include <utility>

#include "db/properties.h"
#include "db/read/db_iter.h"
#include "db/read/point_get.h"
#include "db/read/source_iter.h"
#include "db/version/approximate_offset.h"
#include "leveldb/write_batch.h"
#include "util/epoch.h"

namespace leveldb {

DbImpl::DbImpl(std::unique_ptr<OpenParts> parts)
    : parts_(std::move(parts)),
      state_(parts_->state.get()),
      write_queue_(state_, parts_->log_number, std::move(parts_->log_file), parts_->log_length) {}

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

// REQUIRES: the view has been taken before: a newer view may lack versions that this sequence
// needs.
SequenceNumber DbImpl::ReadSequence(const ReadOptions& options) const {
  return options.snapshot != nullptr
             ? static_cast<const ListedSnapshot*>(options.snapshot)->sequence()
             : state_->versions->LastSequence();
}

Status DbImpl::Get(const ReadOptions& options, const Slice& key, std::string* value) {
  EpochGuard guard;
  const ReadView* const view = state_->current_view.Get();
  const LookupKey lookup(key, ReadSequence(options));
  SeekMiss miss;
  const Status status = PointGet(*view, parts_->table_cache.get(), options, lookup, value, &miss);
  if (miss.file != nullptr) ChargeSeek(*miss.file, miss.level, this);
  return status;
}

Iterator* DbImpl::NewIterator(const ReadOptions& options) {
  DbIterSources sources;
  sources.view = state_->current_view.Pin();
  sources.sequence = ReadSequence(options);
  sources.comparator = &state_->comparator();
  sources.entries.reset(NewSourceIterator(*sources.view, parts_->table_cache.get(), options));
  sources.seek_sink = this;
  Iterator* const iterator = NewDbIterator(std::move(sources));
  // Runs when the iterator's hold on the view is gone: tables that only it kept may be removed.
  iterator->RegisterCleanup(
      [](void* arg, void*) {
        DbState* const state = static_cast<DbState*>(arg);
        if (!state->obsolete_files.empty()) state->work_signal->Raise();
      },
      state_, nullptr);
  return iterator;
}

const Snapshot* DbImpl::GetSnapshot() {
  MutexLock lock(&state_->mutex);
  return state_->snapshots.Take(state_->versions->LastSequence());
}

void DbImpl::ReleaseSnapshot(const Snapshot* snapshot) {
  MutexLock lock(&state_->mutex);
  state_->snapshots.Release(static_cast<const ListedSnapshot*>(snapshot));
}

bool DbImpl::GetProperty(const Slice& property, std::string* value) {
  return ReadProperty(state_, property, value);
}

void DbImpl::GetApproximateSizes(const Range* range, int n, uint64_t* sizes) {
  const std::shared_ptr<const ReadView> view = state_->current_view.Pin();
  const auto offset_of = [&](const Slice& user_key) {
    const InternalKey key(user_key, kMaxSequenceNumber, kSeekType);
    return ApproximateOffsetOf(*view->version, parts_->table_cache.get(), key.Encode());
  };
  for (int i = 0; i < n; i++) {
    const uint64_t start = offset_of(range[i].start);
    const uint64_t limit = offset_of(range[i].limit);
    sizes[i] = limit > start ? limit - start : 0;
  }
}

void DbImpl::CompactRange(const Slice* begin, const Slice* end) {
  // Errors show in the next write, and in LOG; the signature has no place for them.
  if (!write_queue_.SwitchMemtable().ok()) return;
  if (!parts_->scheduler->WaitForFlush().ok()) return;
  int deepest = 0;
  {
    const std::shared_ptr<const ReadView> view = state_->current_view.Pin();
    for (int level = 1; level < kNumLevels; level++) {
      if (view->version->OverlapInLevel(level, begin, end)) deepest = level;
    }
  }
  for (int level = 0; level < std::max(deepest, 1); level++) {
    parts_->scheduler->CompactLevel(level, begin, end);
  }
}

void DbImpl::OnSeeksExhausted(const FileMetaPtr& file, int level) {
  parts_->scheduler->SuggestCompaction({file, level});
}

}  // namespace leveldb
