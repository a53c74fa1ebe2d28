#include "db/state/db_state.h"

#include <algorithm>
#include <new>
#include <utility>

#include "db/version/level_limits.h"

namespace leveldb {

DbState::DbState(std::unique_ptr<const ResolvedOptions> resolved)
    : work_finished(&mutex),
      resolved_(std::move(resolved)),
      out_of_memory_(Status::IOError(dbname(), "out of memory in a write")) {
  versions = std::make_unique<VersionSet>(dbname(), &options(), &comparator(), &obsolete_files);
}

DbState::~DbState() = default;

void DbState::Publish(std::shared_ptr<MemTable> memtable, std::shared_ptr<MemTable> immutable) {
  memtable_ = std::move(memtable);
  immutable_ = std::move(immutable);
  std::shared_ptr<const Version> version = versions->current();
  pressure.level0_table_depth.store(Level0TableDepth(), std::memory_order_relaxed);
  pressure.level0_tree_depth.store(Level0TreeDepth(), std::memory_order_relaxed);
  pressure.flush_pending.store(immutable_ != nullptr, std::memory_order_relaxed);
  current_view.Publish(std::make_shared<const ReadView>(memtable_, immutable_, std::move(version)));
  work_finished.SignalAll();
}

int DbState::TreesPerMerge() const {
  return runs_were_read ? kLevel0CompactionTrigger : versions->current()->shape().trees_per_merge;
}

int DbState::Level0TableDepth() const {
  return DepthOfTables(versions->current()->num_files(0));
}

int DbState::Level0TreeDepth() const {
  const size_t trees = versions->current()->group()->trees(0).size();
  return DepthOfTrees(static_cast<int>(trees), TreesPerMerge());
}

int DbState::Level0Depth() const {
  return std::max(Level0TableDepth(), Level0TreeDepth());
}

void DbState::PublishVersion() {
  Publish(memtable_, immutable_);
}

void DbState::RecordBackgroundError(const char* what, const Status& status) {
  try {
    if (background_error_.ok()) background_error_ = status;
  } catch (const std::bad_alloc&) {
    background_error_ = std::move(out_of_memory_);
  }
  TellOfError(what, status);
}

void DbState::RecordOutOfMemory(const char* what) {
  if (background_error_.ok()) background_error_ = std::move(out_of_memory_);
  TellOfError(what, background_error_);
}

// Notifies the writers and waiting threads first, then the info log, which may need memory.
void DbState::TellOfError(const char* what, const Status& status) {
  pressure.failed.store(true, std::memory_order_release);
  work_finished.SignalAll();
  try {
    Log(info_log(), "%s failed, writes stop until the database is opened again: %s", what,
        status.ToString().c_str());
  } catch (const std::bad_alloc&) {
    // The writers have been notified.
  }
}

Status DbState::WriteFailure() {
  if (!pressure.failed.load(std::memory_order_acquire)) return Status::OK();
  MutexLock lock(&mutex);
  return background_error_;
}

Status DbState::ForkedError() const {
  return Status::IOError(dbname(), "was opened by the process this one was forked from");
}

SequenceNumber DbState::SmallestSnapshot() const {
  return snapshots.empty() ? versions->LastSequence() : snapshots.oldest();
}

}  // namespace leveldb
