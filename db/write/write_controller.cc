#include "db/write/write_controller.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "db/state/db_state.h"
#include "db/version/level_limits.h"
#include "db/write/memtable_switch.h"
#include "db/write/write_log.h"
#include "pmem/pmem_tier.h"
#include "util/micros_since.h"
#include "util/scoped_increment.h"

namespace leveldb {

namespace {

// Shorter delays would have to be more frequent: when a third thread ran on two processors,
// background work continued during the delays, and delays of 2 ms (in slow minutes, of 5 ms) made
// up one write in ten thousand. Longer delays would be noticeable.
constexpr uint64_t kMinDelayNanos = 7'000'000;
constexpr uint64_t kMaxDelayNanos = 10'000'000;

// A shard whose delay is at most this continues while another shard is delayed.
constexpr uint64_t kMostNanosInTurns = 2 * kMaxDelayNanos;

// The delay per KiB for tables of level 0 at the slowdown trigger, and for everything that has not
// been measured yet: 64 MiB/s. And the maximum delay per KiB, whatever was measured: 1 MiB/s.
constexpr uint64_t kSlowdownNanosPerKib = 1'000'000'000 / (64 * 1024);
constexpr uint64_t kMostNanosPerKib = 1'000'000;

// The share of the memtable that may be filled before the flush has done anything.
constexpr double kHeadStart = 0.5;

// Shares of the part of the pool that is left when spills begin. The space of spilled data becomes
// free only when value-log GC has emptied the extents that its values share with others, much of it
// at a time, and until then the pool fills up. So writers soon become somewhat slower than spills,
// from kPoolHeadStart on. Up to kPoolSteady they keep that rate, so that they write as much per
// second before a GC ends as after it. From there on they slow down as the pool fills, and beyond
// kPoolReserve they hardly write at all.
constexpr double kPoolHeadStart = 0.05;
constexpr double kPoolSteady = 0.55;
constexpr double kPoolReserve = 0.9;
constexpr double kPoolSteadyFactor = 1.6;  // times the duration of a spill, up to kPoolSteady
constexpr double kPoolSlowest = 4;         // the same where the reserve begins
constexpr double kPoolDoublings = 6;       // of the delay, from there to the end

// A memtable, its log and its values are limited to this fraction of the pool, which leaves room
// for trees.
constexpr uint64_t kMemtablesPerPool = 8;

// With a tier a memtable may use this many times its user bytes in memory, which matters for tiny
// values.
constexpr size_t kMemoryPerUserByte = 2;

// Reading the clock or the counters of other shards is expensive compared with a small write.
constexpr size_t kBytesBetweenLooks = 32 * 1024;

// A writer that waits for a flush checks at this interval whether the flush is running.
constexpr std::chrono::milliseconds kFlushLook{1};

// The maximum of bytes that other shards have written since its own last write for which a shard is
// delayed.
constexpr size_t kMostUndelayedBytes = size_t{1} << 20;

// Adds a wait from `start_micros` until now to the statistics.
void CountWait(DbState* state, uint64_t start_micros) EXCLUSIVE_LOCKS_REQUIRED(state->mutex) {
  state->stats.write_wait_count++;
  state->stats.write_wait_micros += static_cast<int64_t>(MicrosSince(state->env(), start_micros));
}

// Waits until a job has ended or, while a flush is pending, for at most kFlushLook, after which the
// flush thread is moved to this processor if it does not run.
void WaitForAJob(DbState* state) EXCLUSIVE_LOCKS_REQUIRED(state->mutex) {
  if (state->immutable() == nullptr) return state->work_finished.Wait();
  if (state->work_finished.WaitFor(kFlushLook)) return;
  bool is_moved;
  {
    const MutexUnlock unlock(&state->mutex);
    is_moved = state->flush_thread.MoveHere();
  }
  if (is_moved) state->stats.flush_moves++;
}

}  // namespace

uint64_t LeadNanos(const FlushRace& race) {
  if (race.expected_nanos == 0) return 0;
  const double expected = static_cast<double>(race.expected_nanos);
  const double flushed = std::min(race.walked, static_cast<double>(race.elapsed_nanos) / expected);
  const double lead = race.fill - (kHeadStart + (1 - kHeadStart) * flushed);
  return lead <= 0 ? 0 : static_cast<uint64_t>(lead / (1 - kHeadStart) * expected);
}

uint64_t Level0NanosPerKib(int depth, uint64_t nanos_at_slowdown) {
  if (depth < kLevel0SlowdownDepth) return 0;
  const int doublings = std::min(depth, kLevel0StopDepth) - kLevel0SlowdownDepth;
  return std::min(std::min(nanos_at_slowdown, kMostNanosPerKib) << doublings, kMostNanosPerKib);
}

uint64_t PoolNanosPerKib(double filled, uint64_t spill_nanos_per_kib) {
  if (spill_nanos_per_kib == 0) spill_nanos_per_kib = kSlowdownNanosPerKib;
  double spills = kPoolSteadyFactor * std::min(filled / kPoolHeadStart, 1.0);
  if (filled > kPoolSteady) {
    const double way = (filled - kPoolSteady) / (kPoolReserve - kPoolSteady);
    spills += (kPoolSlowest - kPoolSteadyFactor) * std::min(way, 1.0);
  }
  if (filled > kPoolReserve) {
    spills *= std::exp2(kPoolDoublings * (filled - kPoolReserve) / (1 - kPoolReserve));
  }
  const double nanos = static_cast<double>(spill_nanos_per_kib) * spills;
  return static_cast<uint64_t>(std::min(nanos, double{kMostNanosPerKib}));
}

WriteController::WriteController(DbState* state, size_t shard)
    : state_(state), shard_(shard), limit_in_pool_(SIZE_MAX) {
  if (state->tier() != nullptr) {
    limit_in_pool_ = state->tier()->extents()->capacity_bytes() / kMemtablesPerPool;
  }
}

// REQUIRES: a flush is running.
uint64_t WriteController::LeadOverFlush(size_t memtable_bytes) const {
  const WritePressure& pressure = state_->pressure;
  const size_t limit = Limit();
  FlushRace race;
  race.fill = static_cast<double>(memtable_bytes) / static_cast<double>(limit);
  race.walked = pressure.flushed_share.load(std::memory_order_relaxed);
  const uint64_t start_micros = pressure.flush_start_micros.load(std::memory_order_relaxed);
  race.elapsed_nanos = MicrosSince(state_->env(), start_micros) * 1000;
  race.expected_nanos =
      pressure.flush_nanos_per_kib.load(std::memory_order_relaxed) * (limit / 1024);
  return LeadNanos(race);
}

// Updates the pool's delay per KiB. Spills are usually scheduled when a memtable is full or a job
// has ended. Writers that are delayed because of missing spills may be far from both, so this
// raises the work signal itself each time another kPoolHeadStart of the remaining pool has been
// filled.
void WriteController::LookAtPool(PmemTier* tier) {
  const PmemTierOptions& options = tier->options();
  if (!options.spill) return;
  const double filled = options.FilledBeyondSpillStart(tier->extents()->use());
  pool_nanos_per_kib_ = PoolNanosPerKib(filled, state_->pressure.spill_throughput.nanos_per_kib());
  const int steps = static_cast<int>(std::ceil(filled / kPoolHeadStart));
  if (steps > pool_steps_) state_->work_signal->Raise();
  pool_steps_ = steps;
}

// Returns the delay per KiB for level 0 and the pool. The delay for trees is based on the time that
// merging them takes.
uint64_t WriteController::DelayNanosPerKib() const {
  const WritePressure& pressure = state_->pressure;
  const uint64_t merge_nanos = pressure.merge_throughput.nanos_per_kib();
  const int table_depth = pressure.level0_table_depth.load(std::memory_order_relaxed);
  const int tree_depth = pressure.level0_tree_depth.load(std::memory_order_relaxed);
  return std::max(
      {pool_nanos_per_kib_, Level0NanosPerKib(table_depth, kSlowdownNanosPerKib),
       Level0NanosPerKib(tree_depth, merge_nanos != 0 ? merge_nanos : kSlowdownNanosPerKib)});
}

// Returns how long a writer must be delayed now, for `bytes` more; usually 0.
uint64_t WriteController::DelayNanos(size_t bytes, size_t memtable_bytes) {
  uint64_t lead_nanos = 0;
  const bool flush_pending = state_->pressure.flush_pending.load(std::memory_order_relaxed);
  PmemTier* const tier = state_->tier();  // a drain may take it away at any time
  if (tier == nullptr) pool_nanos_per_kib_ = 0;
  if (flush_pending || tier != nullptr) {
    bytes_since_look_ += bytes;
    if (bytes_since_look_ >= kBytesBetweenLooks) {
      bytes_since_look_ = 0;
      if (flush_pending) lead_nanos = LeadOverFlush(memtable_bytes);
      if (tier != nullptr) LookAtPool(tier);
    }
  }
  const uint64_t nanos_per_kib = DelayNanosPerKib();
  if (nanos_per_kib == 0) {
    pending_delay_nanos_ = 0;
    others_undelayed_bytes_ = 0;
  } else {
    // With long delays the shards are delayed at the same time, so each is also charged for the
    // bytes of the others, up to as many as it writes itself: then the shard that writes most is
    // charged for everything.
    const size_t for_others = std::min(bytes, others_undelayed_bytes_);
    others_undelayed_bytes_ -= for_others;
    pending_delay_nanos_ += nanos_per_kib * (bytes + for_others) / 1024;
  }
  if (lead_nanos >= kMinDelayNanos) {
    state_->pressure.flush_is_awaited.store(true, std::memory_order_relaxed);
  }
  const uint64_t wanted = std::max(pending_delay_nanos_, lead_nanos);
  if (wanted < kMinDelayNanos) return 0;
  const std::atomic<int>& delayed_shards = state_->pressure.waiting.delayed_shards;
  if (wanted <= kMostNanosInTurns && delayed_shards.load(std::memory_order_relaxed) > 0) return 0;
  return std::min(wanted, kMaxDelayNanos);
}

void WriteController::Delay(uint64_t nanos) {
  if (nanos == 0) return;
  PmemTier* const tier = state_->tier();
  if (tier != nullptr) tier->stats()->writers[shard_].delays.Add(1);
  const ScopedIncrement delayed(&state_->pressure.waiting.delayed_shards);
  state_->env()->SleepForMicroseconds(static_cast<int>(nanos / 1000));
  pending_delay_nanos_ -= std::min(pending_delay_nanos_, nanos);
}

// Returns how full a memtable is, in bytes. With large values in the pool it uses little memory
// itself, so its user bytes count; but its memory must not exceed kMemoryPerUserByte times that
// either.
size_t WriteController::Fill(size_t user_bytes, size_t memory) const {
  if (state_->tier() == nullptr) return memory;
  return std::max(user_bytes, memory / kMemoryPerUserByte);
}

// Returns approximately how full a memtable is that other shards write to as well. Their counters
// change in their caches, and are read only now and then.
size_t WriteController::SharedFill(const MemTable& memtable) {
  const size_t user_bytes = memtable.UserBytes(shard_);
  const size_t memory = memtable.MemoryUsage(shard_);
  const bool is_new = user_bytes < own_user_bytes_;
  if (is_new || user_bytes - own_user_bytes_ >= kBytesBetweenLooks) LookAtOthers(memtable);
  return Fill(user_bytes + others_user_bytes_, memory + others_memory_);
}

void WriteController::LookAtOthers(const MemTable& memtable) {
  own_user_bytes_ = memtable.UserBytes(shard_);
  const size_t others = memtable.UserBytes() - own_user_bytes_;
  const bool is_new = others < others_user_bytes_;
  others_undelayed_bytes_ += is_new ? others : others - others_user_bytes_;
  others_undelayed_bytes_ = std::min(others_undelayed_bytes_, kMostUndelayedBytes);
  others_user_bytes_ = others;
  others_memory_ = memtable.MemoryUsage() - memtable.MemoryUsage(shard_);
}

bool WriteController::HasRoom(size_t bytes, const MemTable& memtable, uint64_t* delay_nanos) {
  if (state_->pressure.failed.load(std::memory_order_acquire)) return false;
  const size_t used = SharedFill(memtable);
  if (used > Limit()) return false;
  *delay_nanos = DelayNanos(bytes, used);
  return true;
}

// Returns the size up to which a memtable may be filled.
size_t WriteController::Limit() const {
  if (state_->tier() == nullptr) return state_->options().write_buffer_size;
  const size_t wanted = state_->pressure.memtable_bytes.load(std::memory_order_relaxed);
  return std::min(wanted != 0 ? wanted : state_->options().write_buffer_size, limit_in_pool_);
}

Status WriteController::MakeRoom(bool force_switch, WriteLog* log,
                                 std::shared_ptr<MemTable>* memtable) {
  const Status failure = state_->WriteFailure();
  if (!failure.ok()) return failure;
  LookAtOthers(**memtable);
  const bool full = Fill((*memtable)->UserBytes(), (*memtable)->MemoryUsage()) > Limit();
  if (!full && !(force_switch && !(*memtable)->empty())) return Status::OK();
  return WaitAndSwitch(force_switch, log, memtable);
}

Status WriteController::WaitAndSwitch(bool force_switch, WriteLog* log,
                                      std::shared_ptr<MemTable>* memtable) {
  log->Fence();  // acknowledged writes must not stay unfenced during a wait, which may be long
  Status status = WaitForRoom(/*ignore_level0=*/force_switch);
  if (!status.ok()) return status;
  status = Switch(log, memtable);
  for (bool more = log->IsInPool(); more && IsForLackOfSpace(status);) {
    more = WaitForJob(0);
    status = Switch(log, memtable);
  }
  if (!log->IsInPool() || !status.IsIOError()) return status;
  const Status failure = state_->WriteFailure();
  return failure.ok() ? status : failure;  // the reason why nothing has made room
}

// Tries to switch the memtable once.
Status WriteController::Switch(WriteLog* log, std::shared_ptr<MemTable>* memtable) {
  bool log_is_unchanged;
  const Status status = SwitchMemtable(state_, log, &log_is_unchanged);
  MutexLock lock(&state_->mutex);
  if (status.ok()) {
    *memtable = state_->memtable();
    own_user_bytes_ = others_user_bytes_ = others_memory_ = 0;
  } else if (!log_is_unchanged) {
    state_->RecordBackgroundError("starting a log", status);
  }
  return status;
}

bool WriteController::IsForLackOfSpace(const Status& status) const {
  return status.IsIOError() && !state_->pressure.failed.load(std::memory_order_acquire);
}

bool WriteController::WaitForSpace(uint64_t bytes, WriteLog* log,
                                   std::shared_ptr<MemTable>* memtable) {
  const PmemTier* const tier = state_->tier();
  if (tier == nullptr || !log->IsInPool()) return false;
  log->Fence();  // as in WaitAndSwitch
  // The memtable's data in the pool can only be freed with the memtable. The switch may lack room
  // itself.
  const bool flush_pending = state_->pressure.flush_pending.load(std::memory_order_relaxed);
  if (tier->options().spill && !flush_pending && !(*memtable)->empty()) {
    const Status status = Switch(log, memtable);
    if (!status.ok() && !IsForLackOfSpace(status)) return false;
  }
  return WaitForJob(bytes);
}

// Waits until a job has ended that may have freed some of the pool. Returns false if there is none.
// REQUIRES: the log is in the pool, so that no drain ends meanwhile.
bool WriteController::WaitForJob(uint64_t bytes) {
  PmemTier* const tier = state_->tier();
  if (tier == nullptr) return false;
  MutexLock lock(&state_->mutex);
  if (!state_->background_error().ok() || !state_->work_signal->MakeSpace(bytes)) return false;
  tier->stats()->writers[shard_].full_waits.Add(1);
  const uint64_t start_micros = state_->env()->NowMicros();
  state_->work_finished.Wait();
  CountWait(state_, start_micros);
  return state_->background_error().ok();
}

// Waits until a memtable switch is possible: no flush is pending, and level 0 is below its limit.
// Returns an error if the database is being closed, since no job makes the switch possible then.
Status WriteController::WaitForRoom(bool ignore_level0) {
  MutexLock lock(&state_->mutex);
  const auto must_wait = [&]() EXCLUSIVE_LOCKS_REQUIRED(state_->mutex) {
    return state_->immutable() != nullptr ||
           (!ignore_level0 && state_->Level0Depth() >= kLevel0StopDepth);
  };
  const auto may_end = [&]() EXCLUSIVE_LOCKS_REQUIRED(state_->mutex) {
    return state_->background_error().ok() && !state_->closing.load(std::memory_order_acquire);
  };
  if (may_end() && must_wait()) {
    state_->pressure.flush_is_awaited.store(true, std::memory_order_relaxed);
    const uint64_t start_micros = state_->env()->NowMicros();
    while (may_end() && must_wait()) WaitForAJob(state_);
    CountWait(state_, start_micros);
  }
  if (!state_->background_error().ok() || !must_wait()) return state_->background_error();
  return Status::IOError(state_->dbname(), "is being closed");
}

}  // namespace leveldb
