#include "db/drain.h"

#include <set>

#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "pmem/media/pool.h"

namespace leveldb {

namespace {

Status SayLeaving(const DbState& state) {
  PmemFile file;
  Status status = ReadPmemFile(state.env(), state.dbname(), &file);
  if (!status.ok()) return status;
  file.state = PmemFile::kLeaving;
  return WritePmemFile(state.env(), state.dbname(), file);
}

// Returns the first log that is not in the pool: everything in the logs before it is in tables.
uint64_t FirstLogFile(const DbState& state, const Pool& pool)
    EXCLUSIVE_LOCKS_REQUIRED(state.mutex) {
  std::set<uint64_t> in_pool;
  for (const LogSlot& log : pool.root()->Logs()) in_pool.insert(log.number);
  uint64_t first = state.versions->LogNumber();
  for (const uint64_t number : state.log_numbers) {
    if (in_pool.count(first) > 0 && number > first) first = number;
  }
  return first;
}

Status SwitchManifest(DbState* state, const Pool& pool) {
  MutexLock lock(&state->mutex);
  VersionEdit edit;
  edit.SetLogNumber(FirstLogFile(*state, pool));
  edit.pmem().LeaveTier();
  const Status status = state->versions->LogAndApply(&edit, &state->mutex);
  if (!status.ok()) return status;
  state->SetTier(nullptr);
  Log(state->info_log(), "tier: drained; this is a plain database now");
  return status;
}

// Removes the pool's files; they stay mapped.
Status RemovePoolFiles(const DbState& state, Pool* pool) {
  if (pool->kind() == PoolKind::kDevice) return Status::OK();
  const Status status = pool->RemoveFiles();
  return status.ok() ? RemovePmemFile(state.env(), state.dbname()) : status;
}

}  // namespace

Status DrainDatabase(OpenParts* parts, WriteQueue* write_queue) {
  DbState* const state = parts->state.get();
  if (state->tier() == nullptr) return Status::OK();
  Pool* const pool = parts->tier->pool();
  Status status = SayLeaving(*state);
  if (status.ok()) status = parts->scheduler->DrainTier();
  if (status.ok()) status = write_queue->LeavePool();
  if (status.ok()) status = parts->scheduler->WaitForFlush();
  if (status.ok()) status = SwitchManifest(state, *pool);
  if (!status.ok()) return status;
  parts->tier_is_drained = true;
  parts->scheduler->CleanUp();
  return RemovePoolFiles(*state, pool);
}

}  // namespace leveldb
