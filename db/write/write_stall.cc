#include "db/write/write_stall.h"

#include <algorithm>

#include "db/state/db_state.h"
#include "db/version/level_limits.h"
#include "db/write/memtable_switch.h"
#include "db/write/write_log.h"

namespace leveldb {

namespace {

// Shorter sleeps are mostly overhead, longer ones would be felt.
constexpr uint64_t kMinNapNanos = 1'000'000;
constexpr uint64_t kMaxNapNanos = 10'000'000;

// At the slowdown trigger 64 MiB/s, halved with each further table of level 0.
constexpr uint64_t kLevel0SlowdownNanosPerKib = 1'000'000'000 / (64 * 1024);

// The part of the memtable that may be filled before the flush has done anything.
constexpr double kHeadStart = 0.5;

// Looking at the clock costs something next to a small write.
constexpr size_t kBytesBetweenLooks = 32 * 1024;

}  // namespace

uint64_t LeadNanos(const FlushRace& race) {
  if (race.expected_nanos == 0) return 0;
  const double expected = static_cast<double>(race.expected_nanos);
  const double flushed = static_cast<double>(race.elapsed_nanos) / expected;
  const double lead = race.fill - (kHeadStart + (1 - kHeadStart) * flushed);
  return lead <= 0 ? 0 : static_cast<uint64_t>(lead / (1 - kHeadStart) * expected);
}

uint64_t Level0NanosPerKib(int level0_files) {
  if (level0_files < kLevel0SlowdownTrigger) return 0;
  return kLevel0SlowdownNanosPerKib
         << (std::min(level0_files, kLevel0StopTrigger) - kLevel0SlowdownTrigger);
}

uint64_t WriteStall::LeadOverFlush(size_t bytes, size_t memtable_bytes) {
  const WritePressure& pressure = state_->pressure;
  if (!pressure.flush_pending.load(std::memory_order_relaxed)) return 0;
  bytes_since_look_ += bytes;
  if (bytes_since_look_ < kBytesBetweenLooks) return 0;
  bytes_since_look_ = 0;
  const size_t limit = state_->options().write_buffer_size;
  FlushRace race;
  race.fill = static_cast<double>(memtable_bytes) / static_cast<double>(limit);
  const uint64_t start_micros = pressure.flush_start_micros.load(std::memory_order_relaxed);
  const uint64_t now_micros = state_->env()->NowMicros();
  race.elapsed_nanos = now_micros > start_micros ? (now_micros - start_micros) * 1000 : 0;
  race.expected_nanos =
      pressure.flush_nanos_per_kib.load(std::memory_order_relaxed) * (limit / 1024);
  return LeadNanos(race);
}

void WriteStall::Pace(size_t bytes, size_t memtable_bytes) {
  const int level0_files = state_->pressure.level0_files.load(std::memory_order_relaxed);
  if (level0_files < kLevel0SlowdownTrigger) {
    owed_nanos_ = 0;
  } else {
    owed_nanos_ += Level0NanosPerKib(level0_files) * bytes / 1024;
  }
  const uint64_t wanted = std::max(owed_nanos_, LeadOverFlush(bytes, memtable_bytes));
  if (wanted < kMinNapNanos) return;
  const uint64_t nap = std::min(wanted, kMaxNapNanos);
  state_->env()->SleepForMicroseconds(static_cast<int>(nap / 1000));
  owed_nanos_ -= std::min(owed_nanos_, nap);
}

Status WriteStall::MakeRoom(size_t bytes, bool force_switch, std::shared_ptr<MemTable>* memtable) {
  if (state_->IsInForkedChild()) {
    return Status::IOError(state_->dbname(), "was opened by the process this one was forked from");
  }
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
