#include "db/state/unsynced_logs.h"

#include <cassert>
#include <utility>

namespace leveldb {

void UnsyncedLogs::Add(uint64_t number, std::unique_ptr<WritableFile> file) {
  MutexLock lock(&mutex_);
  assert(logs_.empty() || logs_.back().number < number);
  logs_.push_back({number, std::move(file)});
}

Status UnsyncedLogs::SyncAll() {
  MutexLock lock(&mutex_);
  while (!logs_.empty()) {
    WritableFile* const file = logs_.front().file.get();
    Status status = file->Sync();
    if (status.ok()) status = file->Close();
    if (!status.ok()) return status;
    logs_.erase(logs_.begin());
  }
  return Status::OK();
}

void UnsyncedLogs::DropBelow(uint64_t number) {
  std::vector<Log> dropped;  // closed by their destructors, without the mutex
  MutexLock lock(&mutex_);
  while (!logs_.empty() && logs_.front().number < number) {
    dropped.push_back(std::move(logs_.front()));
    logs_.erase(logs_.begin());
  }
}

}  // namespace leveldb
