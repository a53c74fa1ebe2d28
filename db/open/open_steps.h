// Opens a database in these steps:
//
//   resolve options -> take the LOCK -> create or check existence -> find or make the pool, if
//   there is to be one -> read the manifest -> check that its tables are there -> replay the logs
//   -> start a log and write the outcome to the manifest -> remove what a crash has left -> publish
//   the first view
//
// The contents of log files are in tables or trees before the database is open. The contents of the
// pool's logs need not be: they become the immutable memtable, which is flushed like any other.
//
// A step that fails releases what the open holds; no existing data is lost.
#ifndef BUSHSTORE_DB_OPEN_OPEN_STEPS_H_
#define BUSHSTORE_DB_OPEN_OPEN_STEPS_H_

#include <memory>
#include <string>

#include "db/files/table_cache.h"
#include "db/jobs/scheduler.h"
#include "db/open/resolve_options.h"
#include "db/state/db_state.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "pmem/media/pending_stores.h"
#include "pmem/pmem_tier.h"
#include "pmem/wal/wal_writer.h"

namespace leveldb {

// The lock on a database's directory, held during the lifetime of this object.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  Status Acquire(Env* env, const std::string& dbname);
  // Gives up the lock without releasing it, because it belongs to another process.
  void Disown() { lock_ = nullptr; }

 private:
  Env* env_ = nullptr;
  FileLock* lock_ = nullptr;
};

// The parts of an open database, in the order of their dependences. scheduler->Close() must be
// called before they are destroyed.
struct OpenParts {
  OpenParts() = default;
  // Marks the pool as closed cleanly, or removes what remains of a drained pool. A forked child
  // leaves everything to its parent.
  ~OpenParts();

  DirectoryLock lock;
  // Null without a persistent-memory tier. Kept after a drain has removed it from the state,
  // because readers may hold pool offsets.
  std::unique_ptr<PmemTier> tier;
  bool tier_is_settled = false;  // its pool is open for writes
  bool tier_is_drained = false;  // the pool no longer belongs to a database
  std::unique_ptr<DbState> state;
  std::unique_ptr<TableCache> table_cache;
  std::unique_ptr<Scheduler> scheduler;

  // The log for new writes: a file, or with a tier a log in the pool. The write queue takes it
  // over.
  uint64_t log_number = 0;
  std::unique_ptr<WritableFile> log_file;
  uint64_t log_length = 0;
  std::unique_ptr<PendingStores> pool_stores;  // of pool_log
  std::unique_ptr<WalWriter> pool_log;
  SequenceNumber pool_log_first_sequence = 0;

 private:
  bool SealsAllLogs();
  void RemoveDrainedDevice();
};

// Opens the database `name` with the requested tier. `*parts` is usable only if the result is OK.
Status OpenDatabase(const Options& options, const PmemRequest& request, const std::string& name,
                    OpenParts* parts);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_OPEN_STEPS_H_
