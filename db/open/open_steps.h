// Opens a database, step by step:
//
//   resolve options -> take the LOCK -> create or check existence -> find or make the pool, if
//   there is to be one -> read the manifest -> check that its tables are there -> replay the logs
//   -> start a log and write the outcome to the manifest -> remove what a crash has left -> publish
//   the first view
//
// What is in log files is in tables or trees before the database is open. What is in logs of the
// pool only needs not be: it becomes the immutable memtable, which is flushed like any other.
//
// A step that fails undoes what is held; nothing is lost that was there before.
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

// The lock on a database's directory, held as long as this object lives.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  Status Acquire(Env* env, const std::string& dbname);
  // Lets the lock be: it is another process's.
  void Disown() { lock_ = nullptr; }

 private:
  Env* env_ = nullptr;
  FileLock* lock_ = nullptr;
};

// The parts of an open database, in the order of their dependence. Before they are destroyed,
// scheduler->Close() has to be called.
struct OpenParts {
  OpenParts() = default;
  // Notes in the pool that it was closed in order, or removes what is left of a drained one. A
  // forked child leaves everything to its parent.
  ~OpenParts();

  DirectoryLock lock;
  // Null without a persistent-memory tier. It stays also when a drain has taken it from the state:
  // readers may hold places in the pool.
  std::unique_ptr<PmemTier> tier;
  bool tier_is_settled = false;  // its pool is open for writes
  bool tier_is_drained = false;  // the pool belongs to no database any more
  std::unique_ptr<DbState> state;
  std::unique_ptr<TableCache> table_cache;
  std::unique_ptr<Scheduler> scheduler;

  // The log that writes go on in, a file or with a tier one in the pool; taken over by the write
  // queue.
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

// Opens the database `name`, with what is asked for its tier. `*parts` is usable only if the result
// is OK.
Status OpenDatabase(const Options& options, const PmemRequest& request, const std::string& name,
                    OpenParts* parts);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_OPEN_STEPS_H_
