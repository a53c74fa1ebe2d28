// Opens a database, step by step:
//
//   resolve options -> take the LOCK -> create or check existence -> read the manifest -> check
//   that its tables are there -> replay the logs -> start a log and write the outcome to the
//   manifest -> remove what a crash has left -> publish the first view
//
// A step that fails undoes what is held; nothing is lost that was there before.
#ifndef BUSHSTORE_DB_OPEN_OPEN_STEPS_H_
#define BUSHSTORE_DB_OPEN_OPEN_STEPS_H_

#include <memory>
#include <string>

#include "db/files/table_cache.h"
#include "db/jobs/scheduler.h"
#include "db/state/db_state.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/status.h"

namespace leveldb {

// The lock on a database's directory, held as long as this object lives.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  Status Acquire(Env* env, const std::string& dbname);

 private:
  Env* env_ = nullptr;
  FileLock* lock_ = nullptr;
};

// The parts of an open database, in the order of their dependence. Before they are destroyed,
// scheduler->Close() has to be called.
struct OpenParts {
  DirectoryLock lock;
  std::unique_ptr<DbState> state;
  std::unique_ptr<TableCache> table_cache;
  std::unique_ptr<Scheduler> scheduler;

  // The log that writes go on in; taken over by the write queue.
  uint64_t log_number = 0;
  std::unique_ptr<WritableFile> log_file;
  uint64_t log_length = 0;
};

// Opens the database `name`. `*parts` is usable only if the result is OK.
Status OpenDatabase(const Options& options, const std::string& name, OpenParts* parts);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_OPEN_STEPS_H_
