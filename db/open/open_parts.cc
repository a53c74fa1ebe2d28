// The destructors of the parts of an open database.

#include "db/open/open_steps.h"

#include <utility>

#include "db/files/filename.h"
#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"

namespace leveldb {

DirectoryLock::~DirectoryLock() {
  if (lock_ == nullptr) return;
  const Status status = env_->UnlockFile(lock_);
  static_cast<void>(status);  // released at the latest when the process ends
}

Status DirectoryLock::Acquire(Env* env, const std::string& dbname) {
  env_ = env;
  return env->LockFile(LockFileName(dbname), &lock_);
}

OpenParts::~OpenParts() {
  if (state != nullptr && state->IsInForkedChild()) {
    // Here any lock may be held forever by a thread of the parent, and the pool's memory is not
    // mapped.
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
    // Without this mark the next open accepts damage at the end of a log as the result of a crash.
    static_cast<void>(tier->pool()->MarkClean());
  }
}

// Seals all logs in the pool if possible. Returns whether all are sealed.
bool OpenParts::SealsAllLogs() {
  // An open that failed before its own log existed has not changed the logs.
  if (!tier_is_settled) return pool_log == nullptr && tier->pool()->was_clean();
  // No writer has taken this log over.
  if (pool_log != nullptr) pool_log->Seal(pool_log_first_sequence - 1);
  // A write that failed in the middle leaves the log without a seal, and sets this flag.
  return !state->pressure.failed.load(std::memory_order_acquire);
}

// A device can only be removed after it has been unmapped. If this fails, the next open does it,
// because of the state in the file PMEM.
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
