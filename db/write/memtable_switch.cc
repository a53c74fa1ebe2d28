#include "db/write/memtable_switch.h"

#include <cassert>
#include <memory>
#include <utility>

#include "db/state/db_state.h"
#include "db/write/write_log.h"

namespace leveldb {

Status SwitchMemtable(DbState* state, WriteLog* log, bool* log_is_unchanged) {
  const uint64_t number = state->versions->NewFileNumber();
  const SequenceNumber last_sequence = state->versions->LastSequence();
  auto memtable = std::make_shared<MemTable>(&state->comparator());
  const Status status = log->StartNext(number, last_sequence, memtable.get(), log_is_unchanged);
  if (!status.ok()) {
    Log(state->info_log(), "could not create log #%llu: %s",
        static_cast<unsigned long long>(number), status.ToString().c_str());
    return status;
  }

  state->pressure.FlushIsAskedFor(state->env()->NowMicros());
  {
    MutexLock lock(&state->mutex);
    assert(state->immutable() == nullptr);
    state->log_numbers.push_back(number);
    state->immutable_last_sequence = last_sequence;
    state->Publish(std::move(memtable), state->memtable());
  }
  state->work_signal->Raise();
  return status;
}

}  // namespace leveldb
