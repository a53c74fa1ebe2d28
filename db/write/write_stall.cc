#include "db/write/write_stall.h"

#include <algorithm>

#include "db/state/db_state.h"
#include "db/version/level_limits.h"
#include "db/write/memtable_switch.h"
#include "db/write/write_log.h"

namespace leveldb {

namespace {

constexpr uint64_t kNapNanos = 1'000'000;  // shorter sleeps are mostly overhead

// At the slowdown trigger 64 MiB/s, halved with each further file of level 0.
constexpr uint64_t kLevel0NanosPerKib = 1'000'000'000 / (64 * 1024);

// The part of the memtable that is filled at full speed while the one before is being flushed.
constexpr double kFreeFill = 0.25;
// From here on the speed is that of the flush.
constexpr double kFlushPacedFill = 0.75;

}  // namespace

uint64_t DelayNanosPerKib(const StallInputs& inputs) {
  uint64_t level0_delay = 0;
  if (inputs.level0_files >= kLevel0SlowdownTrigger) {
    const int beyond = std::min(inputs.level0_files, kLevel0StopTrigger) - kLevel0SlowdownTrigger;
    level0_delay = kLevel0NanosPerKib << beyond;
  }
  uint64_t flush_delay = 0;
  if (inputs.flush_pending) {
    const double fill =
        static_cast<double>(inputs.memtable_bytes) / static_cast<double>(inputs.memtable_limit);
    const double share = std::clamp((fill - kFreeFill) / (kFlushPacedFill - kFreeFill), 0.0, 1.0);
    flush_delay = static_cast<uint64_t>(share * static_cast<double>(inputs.flush_nanos_per_kib));
  }
  return std::max(level0_delay, flush_delay);
}

void WriteStall::Pace(size_t bytes, size_t memtable_bytes) {
  const WritePressure& pressure = state_->pressure;
  StallInputs inputs;
  inputs.level0_files = pressure.level0_files.load(std::memory_order_relaxed);
  inputs.flush_pending = pressure.flush_pending.load(std::memory_order_relaxed);
  if (!inputs.flush_pending && inputs.level0_files < kLevel0SlowdownTrigger) {
    owed_nanos_ = 0;
    return;
  }
  inputs.flush_nanos_per_kib = pressure.flush_nanos_per_kib.load(std::memory_order_relaxed);
  inputs.memtable_bytes = memtable_bytes;
  inputs.memtable_limit = state_->options().write_buffer_size;
  owed_nanos_ += DelayNanosPerKib(inputs) * bytes / 1024;
  if (owed_nanos_ < kNapNanos) return;
  state_->env()->SleepForMicroseconds(
      static_cast<int>(std::min<uint64_t>(owed_nanos_ / 1000, 1'000'000)));
  owed_nanos_ = 0;
}

Status WriteStall::MakeRoom(size_t bytes, bool force_switch, std::shared_ptr<MemTable>* memtable) {
  if (state_->pressure.failed.load(std::memory_order_acquire)) {
    MutexLock lock(&state_->mutex);
    return state_->background_error();
  }
  const size_t used = (*memtable)->MemoryUsage();
  const bool full = used > state_->options().write_buffer_size;
  if (!full && !(force_switch && !(*memtable)->empty())) {
    Pace(bytes, used);
    return Status::OK();
  }
  return WaitAndSwitch(force_switch, memtable);
}

Status WriteStall::WaitAndSwitch(bool force_switch, std::shared_ptr<MemTable>* memtable) {
  Status status = WaitForRoom(/*ignore_level0=*/force_switch);
  if (status.ok()) status = SwitchMemtable(state_, log_);
  if (!status.ok()) return status;
  MutexLock lock(&state_->mutex);
  *memtable = state_->memtable();
  return status;
}

// Waits until a memtable switch is possible: no flush pending, and level 0 below its limit.
Status WriteStall::WaitForRoom(bool ignore_level0) {
  MutexLock lock(&state_->mutex);
  const auto must_wait = [&]() EXCLUSIVE_LOCKS_REQUIRED(state_->mutex) {
    return state_->immutable() != nullptr ||
           (!ignore_level0 && state_->versions->current()->num_files(0) >= kLevel0StopTrigger);
  };
  if (state_->background_error().ok() && must_wait()) {
    const uint64_t start_micros = state_->env()->NowMicros();
    while (state_->background_error().ok() && must_wait()) state_->work_finished.Wait();
    state_->stats.write_wait_count++;
    state_->stats.write_wait_micros +=
        static_cast<int64_t>(state_->env()->NowMicros() - start_micros);
  }
  return state_->background_error();
}

}  // namespace leveldb
