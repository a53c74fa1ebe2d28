// DbState is the run-time state of the database: its mutex, what the mutex guards, and the view
// that readers use.
//
// The mutex guards changes of the database's structure (memtables, version, snapshots, errors).
// Reads and writes in steady state do not take it: readers use current_view and the last sequence,
// writers use the write queue, and both read the atomics of WritePressure.
#ifndef BUSHSTORE_DB_STATE_DB_STATE_H_
#define BUSHSTORE_DB_STATE_DB_STATE_H_

#include <atomic>
#include <deque>
#include <memory>
#include <string>

#include "db/mem/memtable.h"
#include "db/state/job_stats.h"
#include "db/state/read_view.h"
#include "db/state/resolved_options.h"
#include "db/state/snapshot_list.h"
#include "db/state/unsynced_logs.h"
#include "db/state/work_signal.h"
#include "db/version/obsolete_files.h"
#include "db/version/version_set.h"
#include "port/awaited_thread.h"
#include "port/cache_line.h"
#include "port/fork_generation.h"
#include "port/mutex.h"
#include "port/thread_annotations.h"
#include "util/throughput_estimate.h"

namespace leveldb {

// What a writer checks before each write. Set by background work, mostly when a view is published;
// what writers change more often is in a cache line of its own.
struct WritePressure {
  std::atomic<int> level0_table_depth{0};  // see DepthOfTables
  std::atomic<int> level0_tree_depth{0};   // see DepthOfTrees
  std::atomic<bool> flush_pending{false};  // there is an immutable memtable
  std::atomic<bool> failed{false};         // there is a background error
  // The speed of recent flushes (0: not known).
  std::atomic<uint64_t> flush_nanos_per_kib{0};
  // About the pending flush: when it was requested, which share of the memtable it has walked over
  // (0 to 1), and whether a writer has been delayed for it.
  std::atomic<uint64_t> flush_start_micros{0};
  std::atomic<double> flushed_share{0};
  std::atomic<bool> flush_is_awaited{false};
  // The throughput of spills and of merges of level 0, in keys and values (0: not known).
  ThroughputEstimate spill_throughput;
  ThroughputEstimate merge_throughput;
  // The bytes of keys and values that a memtable holds under a tier; 0: write_buffer_size.
  std::atomic<size_t> memtable_bytes{0};

  // for_turns is the number of writers that have been waiting for some time for earlier writes: an
  // earlier write may lack just the processor that a background thread is using. delayed_shards is
  // the number of shards that are delayed.
  struct alignas(kApartBytes) Waiting {
    std::atomic<int> for_turns{0};
    std::atomic<int> delayed_shards{0};
  };
  Waiting waiting;

  // Records that a flush has been requested. REQUIRES: no flush is pending.
  void FlushIsAskedFor(uint64_t now_micros) {
    flush_start_micros.store(now_micros, std::memory_order_relaxed);
    flushed_share.store(0, std::memory_order_relaxed);
    flush_is_awaited.store(false, std::memory_order_relaxed);
  }
};

class PmemTier;

class DbState {
 public:
  explicit DbState(std::unique_ptr<const ResolvedOptions> resolved);
  ~DbState();
  DbState(const DbState&) = delete;
  DbState& operator=(const DbState&) = delete;

  const ResolvedOptions& resolved() const { return *resolved_; }
  const Options& options() const { return resolved_->options; }
  const std::string& dbname() const { return resolved_->dbname; }
  Env* env() const { return resolved_->options.env; }
  Logger* info_log() const { return resolved_->options.info_log; }
  const InternalKeyComparator& comparator() const { return resolved_->internal_comparator; }

  // Returns the persistent-memory tier; null if the database has none. Thread-safe.
  PmemTier* tier() const { return tier_.load(std::memory_order_acquire); }
  // `tier` is not owned. It outlives the state, also after a drain has removed it: views may hold
  // its extents. Called while opening, and by a drain with null.
  void SetTier(PmemTier* tier) { tier_.store(tier, std::memory_order_release); }

  // Makes `memtable`, `immutable` and the version set's current version visible to readers.
  void Publish(std::shared_ptr<MemTable> memtable, std::shared_ptr<MemTable> immutable)
      EXCLUSIVE_LOCKS_REQUIRED(mutex);

  // Returns how many trees level 0 of the group collects before they are merged, if there is time
  // for that. A larger number makes merging cheaper and reads more expensive. Without reads only
  // writers count.
  int TreesPerMerge() const EXCLUSIVE_LOCKS_REQUIRED(mutex);

  // Level0Depth returns the depth of level 0 of the current version, in tables: reads search tables
  // or trees, whichever are more. Level0TableDepth and Level0TreeDepth return the depth of its
  // tables and of its trees only.
  int Level0Depth() const EXCLUSIVE_LOCKS_REQUIRED(mutex);
  int Level0TableDepth() const EXCLUSIVE_LOCKS_REQUIRED(mutex);
  int Level0TreeDepth() const EXCLUSIVE_LOCKS_REQUIRED(mutex);

  // Publishes the version set's current version with the present memtables.
  void PublishVersion() EXCLUSIVE_LOCKS_REQUIRED(mutex);

  // Makes `status` the error that all further writes return, unless there is one already. Without
  // memory for that, an out-of-memory error is used.
  void RecordBackgroundError(const char* what, const Status& status)
      EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // Makes an out-of-memory error the one that all further writes return, unless there is one
  // already.
  void RecordOutOfMemory(const char* what) EXCLUSIVE_LOCKS_REQUIRED(mutex);
  const Status& background_error() const EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    return background_error_;
  }
  // Returns background_error() to callers that do not hold the mutex, which is taken only if there
  // is an error.
  Status WriteFailure() LOCKS_EXCLUDED(mutex);

  // Returns the smallest sequence that reads may still use: of the versions of a key up to it, only
  // the newest can be read.
  SequenceNumber SmallestSnapshot() const EXCLUSIVE_LOCKS_REQUIRED(mutex);

  // Returns whether this process was forked from the one that opened the database. It must not use
  // the database: files, file numbers and the offset in the log are the parent's. Thread-safe.
  bool IsInForkedChild() const { return ForkGeneration() != fork_generation_; }
  // Returns IOError if IsInForkedChild().
  Status CheckNotForked() const { return IsInForkedChild() ? ForkedError() : Status::OK(); }

  std::shared_ptr<MemTable> memtable() const EXCLUSIVE_LOCKS_REQUIRED(mutex) { return memtable_; }
  std::shared_ptr<MemTable> immutable() const EXCLUSIVE_LOCKS_REQUIRED(mutex) { return immutable_; }

  Mutex mutex;
  CondVar work_finished GUARDED_BY(mutex);  // after every job and every published view

  // Thread-safe by themselves. Views add numbers to obsolete_files when they are destroyed.
  ObsoleteFiles obsolete_files;
  UnsyncedLogs unsynced_logs;

  // Lock-free for readers.
  CurrentView current_view;
  WritePressure pressure;
  AwaitedThread flush_thread;              // the thread of the running flush
  std::atomic<bool> runs_are_read{false};  // reads searched several runs since the last flush
  bool runs_were_read GUARDED_BY(mutex) = false;  // and between that flush and the one before
  std::atomic<bool> closing{false};

  std::unique_ptr<VersionSet> versions;  // needs the mutex, except for its thread-safe functions
  SnapshotList snapshots GUARDED_BY(mutex);
  JobStats stats GUARDED_BY(mutex);
  std::deque<uint64_t> log_numbers GUARDED_BY(mutex);  // of the logs on disk; the last is in use
  SequenceNumber immutable_last_sequence GUARDED_BY(mutex) = 0;  // of the newest write in it
  uint64_t manifest_number GUARDED_BY(mutex) = 0;  // of the manifest last known to be in use
  int cleanups_removing GUARDED_BY(mutex) = 0;     // cleanups that are removing files

  WorkSignal* work_signal = nullptr;  // set once, while opening

 private:
  Status ForkedError() const;
  void TellOfError(const char* what, const Status& status) EXCLUSIVE_LOCKS_REQUIRED(mutex);

  const std::unique_ptr<const ResolvedOptions> resolved_;
  const uint64_t fork_generation_ = ForkGeneration();
  std::atomic<PmemTier*> tier_{nullptr};
  std::shared_ptr<MemTable> memtable_ GUARDED_BY(mutex);
  std::shared_ptr<MemTable> immutable_ GUARDED_BY(mutex);
  Status background_error_ GUARDED_BY(mutex);
  Status out_of_memory_ GUARDED_BY(mutex);  // made in advance; moved from at most once
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_DB_STATE_H_
