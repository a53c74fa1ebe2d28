// The ends of what an open database consists of.

#include "db/open/open_steps.h"

#include <utility>

#include "db/files/filename.h"
#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"

namespace leveldb {

DirectoryLock::~DirectoryLock() {
  if (lock_ == nullptr) return;
  const Status status = env_->UnlockFile(lock_);
  static_cast<void>(status);  // the lock goes with the process at the latest
}

Status DirectoryLock::Acquire(Env* env, const std::string& dbname) {
  env_ = env;
  return env->LockFile(LockFileName(dbname), &lock_);
}

OpenParts::~OpenParts() {
  if (state != nullptr && state->IsInForkedChild()) {
    // One of the parent's threads may hold any lock for ever here, and the pool's memory is not.
    static_cast<void>(scheduler.release());
    static_cast<void>(table_cache.release());
    static_cast<void>(state.release());
    static_cast<void>(tier.release());
    lock.Disown();
    return;
  }
  if (tier == nullptr) return;
  if (tier_is_drained) {
    RemoveDrainedDevice();
  } else if (SealsAllLogs()) {
    // Without it the next open takes damage at the end of a log for what a crash has left.
    static_cast<void>(tier->pool()->MarkClean());
  }
}

// Makes sure that all logs in the pool are sealed, if that is possible.
bool OpenParts::SealsAllLogs() {
  // An open that failed before its own log was there has left them as they were.
  if (!tier_is_settled) return pool_log == nullptr && tier->pool()->was_clean();
  // It has not been handed over to be written to.
  if (pool_log != nullptr) pool_log->Seal(pool_log_first_sequence - 1);
  // A write that failed half way leaves the log without a seal, and this behind.
  return !state->pressure.failed.load(std::memory_order_acquire);
}

// A device can only be given up when it is not mapped any more. If this fails, the next open does
// it: the file PMEM says so.
void OpenParts::RemoveDrainedDevice() {
  if (tier->pool()->kind() != PoolKind::kDevice) return;
  Env* const env = state->env();
  const std::string dbname = state->dbname();
  const std::string path = tier->pool()->path();
  scheduler.reset();
  table_cache.reset();
  state.reset();
  tier.reset();
  if (RemovePool(path).ok()) static_cast<void>(RemovePmemFile(env, dbname));
}

}  // namespace leveldb
