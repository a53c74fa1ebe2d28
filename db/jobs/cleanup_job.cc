#include "db/jobs/cleanup_job.h"

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/files/filename.h"
#include "pmem/pmem_tier.h"
#include "util/epoch.h"

namespace leveldb {

namespace {

// How long a cleanup waits for readers. Most reads are short. A delayed reader must not delay
// others: what it may be reading is left to the next cleanup.
constexpr std::chrono::microseconds kPatience{1000};

// The same for a caller that needs the space to be free.
constexpr std::chrono::microseconds kLongPatience{1000 * 1000};

}  // namespace

void CleanupJob::DropReplacedViews() {
  DbState* const state = context_.state;
  uint64_t epoch;
  {
    MutexLock lock(&state->mutex);
    epoch = state->current_view.LastRetiredEpoch();
  }
  if (epoch == 0) return;
  if (readers_ != Readers::kGone) {
    epoch::Wait(epoch, readers_ == Readers::kWaitedFor ? kLongPatience : kPatience);
  }
  std::vector<std::shared_ptr<const ReadView>> replaced;  // freed without the mutex
  MutexLock lock(&state->mutex);
  replaced = state->current_view.TakeRetired(readers_ == Readers::kGone);
}

void CleanupJob::Remove(const std::string& path) {
  const Status status = context_.state->env()->RemoveFile(path);
  if (!status.ok() && !status.IsNotFound()) {
    Log(context_.state->info_log(), "could not remove %s: %s", path.c_str(),
        status.ToString().c_str());
  }
}

void CleanupJob::RemoveTable(uint64_t number) {
  const DbState& state = *context_.state;
  context_.table_cache->Evict(number);
  const std::string path = TableFileName(state.dbname(), number);
  Remove(state.env()->FileExists(path) ? path : LegacyTableFileName(state.dbname(), number));
}

// Removes the log from the pool, or, if it is not there, its file.
void CleanupJob::RemoveLog(uint64_t number) {
  DbState* const state = context_.state;
  if (PmemTier* const tier = state->tier()) {
    const Status status = tier->pool()->root()->RemoveLog(number);
    if (status.ok()) return;
    if (!status.IsNotFound()) {
      Log(state->info_log(), "could not remove log #%llu from the pool: %s",
          static_cast<unsigned long long>(number), status.ToString().c_str());
    }
  }
  Remove(LogFileName(state->dbname(), number));
}

void CleanupJob::Run() {
  DbState* const state = context_.state;
  DropReplacedViews();

  std::vector<uint64_t> tables;
  std::vector<uint64_t> logs;
  uint64_t old_manifest = 0;
  {
    MutexLock lock(&state->mutex);
    if (!state->background_error().ok()) return;
    state->cleanups_removing++;
    tables = state->obsolete_files.TakeAll();
    while (state->log_numbers.front() < state->versions->LogNumber()) {
      logs.push_back(state->log_numbers.front());
      state->log_numbers.pop_front();
    }
    if (state->manifest_number != state->versions->ManifestFileNumber()) {
      old_manifest = state->manifest_number;
      state->manifest_number = state->versions->ManifestFileNumber();
    }
  }
  RemoveTaken(tables, logs, old_manifest);
  MutexLock lock(&state->mutex);
  state->cleanups_removing--;
  state->work_finished.SignalAll();
}

void CleanupJob::RemoveTaken(const std::vector<uint64_t>& tables, const std::vector<uint64_t>& logs,
                             uint64_t old_manifest) {
  DbState* const state = context_.state;
  if (PmemTier* const tier = state->tier()) tier->ReleaseRetired();
  for (const uint64_t number : tables) RemoveTable(number);
  for (const uint64_t number : logs) RemoveLog(number);
  if (old_manifest != 0) Remove(ManifestFileName(state->dbname(), old_manifest));
}

void CleanupJob::RemoveStrayLogs(uint64_t first_needed) {
  PmemTier* const tier = context_.state->tier();
  if (tier == nullptr) return;
  for (const LogSlot& log : tier->pool()->root()->Logs()) {
    if (log.number < first_needed) RemoveLog(log.number);
  }
}

Status CleanupJob::RemoveStrayFiles(const std::set<std::string>& stay) {
  DbState* const state = context_.state;
  std::set<uint64_t> live;
  uint64_t log_number;
  uint64_t prev_log_number;
  uint64_t manifest_number;
  {
    MutexLock lock(&state->mutex);
    state->versions->AddLiveFiles(&live);
    log_number = state->versions->LogNumber();
    prev_log_number = state->versions->PrevLogNumber();
    manifest_number = state->versions->ManifestFileNumber();
  }
  RemoveStrayLogs(log_number);
  std::vector<std::string> names;
  const Status status = state->env()->GetChildren(state->dbname(), &names);
  if (!status.ok()) return status;
  for (const std::string& name : names) {
    uint64_t number;
    FileType type;
    if (!ParseFileName(name, &number, &type)) continue;
    if (stay.count(name) > 0) continue;
    bool keep = true;
    switch (type) {
      case kLogFile:
        keep = number >= log_number || number == prev_log_number;
        break;
      case kManifestFile:
        keep = number >= manifest_number;
        break;
      case kTableFile:
      case kTempFile:
        keep = live.count(number) > 0;
        break;
      case kCurrentFile:
      case kLockFile:
      case kInfoLogFile:
        break;
    }
    if (keep) continue;
    Log(state->info_log(), "removing %s, which is not in use", name.c_str());
    Remove(state->dbname() + "/" + name);
  }
  return status;
}

}  // namespace leveldb
