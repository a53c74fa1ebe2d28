#include "db/write/memtable_switch.h"

#include <cassert>
#include <memory>
#include <utility>

#include "db/files/filename.h"
#include "db/state/db_state.h"
#include "db/write/write_log.h"

namespace leveldb {

Status SwitchMemtable(DbState* state, WriteLog* log) {
  const uint64_t number = state->versions->NewFileNumber();
  WritableFile* file = nullptr;
  const Status status = state->env()->NewWritableFile(LogFileName(state->dbname(), number), &file);
  if (!status.ok()) {
    Log(state->info_log(), "could not create log #%llu: %s",
        static_cast<unsigned long long>(number), status.ToString().c_str());
    return status;
  }
  log->Roll(number, std::unique_ptr<WritableFile>(file), 0);

  state->pressure.flush_start_micros.store(state->env()->NowMicros(), std::memory_order_relaxed);
  auto memtable = std::make_shared<MemTable>(&state->comparator());
  {
    MutexLock lock(&state->mutex);
    assert(state->immutable() == nullptr);
    state->log_numbers.push_back(number);
    state->Publish(std::move(memtable), state->memtable());
  }
  state->work_signal->Raise();
  return Status::OK();
}

}  // namespace leveldb
