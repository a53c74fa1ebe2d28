// WriteController delays writes that outrun the background work (back-pressure).
//
// Writers outrun the background in several ways. In each case the delay is spread over many writes,
// well before the point where a writer must stop:
//
//  * Memtables fill faster than they are flushed. While a flush is running, the memtable is filled
//    on a schedule: the share that may be full grows with the share of the flush that is done. That
//    is the share of entries the flush has written or, if less, the share of time at the speed of
//    the previous flush, since a flush is not over with its last entry. A writer ahead of the
//    schedule is delayed.
//  * Tables or trees of level 0 are added faster than they are merged, or the pool is filled faster
//    than it is spilled. Then each byte written adds some nanoseconds to the pending delay, more
//    with every four tables, every tree and every extent. The pending delay is spent in slices.
//
// Two writers are delayed in turns, which leaves one processor to the background and keeps the
// other one in use. Both are delayed at the same time only if that is not enough.
//
// A writer stops and waits for a job only if the delays were not enough.
#ifndef BUSHSTORE_DB_WRITE_WRITE_CONTROLLER_H_
#define BUSHSTORE_DB_WRITE_WRITE_CONTROLLER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "db/mem/memtable.h"
#include "leveldb/status.h"

namespace leveldb {

class DbState;
class PmemTier;
class WriteLog;

// How full a memtable is, and how far the flush of the previous memtable has come.
struct FlushRace {
  double fill = 0;              // 1: full
  double walked = 1;            // share of the previous memtable; 1: all of it
  uint64_t elapsed_nanos = 0;   // since the flush was requested
  uint64_t expected_nanos = 0;  // that the whole flush takes; 0: not known
};

// Returns how long a writer must be delayed until the flush has caught up with the schedule. Pure.
uint64_t LeadNanos(const FlushRace& race);

// Returns the delay for a KiB of new data if level 0 has `depth` (see DepthOfTables):
// `nanos_at_slowdown` at kLevel0SlowdownDepth, doubled with each further one, up to a millisecond.
// Pure.
uint64_t Level0NanosPerKib(int depth, uint64_t nanos_at_slowdown);

// Returns the delay for a KiB of new data if spills, which take `spill_nanos_per_kib` (0: not
// known), fall behind: `filled` is the used share (0 to 1) of the part of the pool that is left
// when spills begin. Pure.
uint64_t PoolNanosPerKib(double filled, uint64_t spill_nanos_per_kib);

// The controller of one shard of the write queue. Used by one thread at a time, the leader of that
// shard.
class WriteController {
 public:
  // `state` is not owned and must outlive this object. Writes of this shard go to part `shard` of
  // memtables.
  WriteController(DbState* state, size_t shard);
  WriteController(const WriteController&) = delete;
  WriteController& operator=(const WriteController&) = delete;

  // Returns whether a write of `bytes` may go to `memtable` while other shards write there too,
  // after a delay of *delay_nanos (usually 0). If false, MakeRoom under exclusive access is
  // required: the memtable is full, or writes fail. If the pool fills up this raises the work
  // signal, which takes the database's mutex and may throw std::bad_alloc.
  bool HasRoom(size_t bytes, const MemTable& memtable, uint64_t* delay_nanos);
  // Sleeps for `nanos`. REQUIRES: other writers need not wait for this one.
  void Delay(uint64_t nanos);

  // Returns when `*memtable`, the one being filled, has room for more. If it is full, or with
  // `force_switch` if it has any entry, it is switched together with `*log`, and `*memtable` is set
  // to the new one. The switch waits for a flush that is still running and, unless forced, for
  // level 0. What `*log` has acknowledged is fenced before a wait. Returns the background error if
  // there is one, or an error instead of a wait that would never end because the database is being
  // closed. REQUIRES, here and below: no other thread writes.
  Status MakeRoom(bool force_switch, WriteLog* log, std::shared_ptr<MemTable>* memtable);

  // Called after an attempt to write `bytes` that has left `log` unchanged. If the pool was full,
  // waits for a job that may free some of it, and returns whether another attempt is worthwhile. If
  // jobs may need it, the memtable is switched as in MakeRoom. Returns false if no job can help or
  // writes fail anyway; one last attempt is then due, since a job may have ended just before.
  bool WaitForSpace(uint64_t bytes, WriteLog* log, std::shared_ptr<MemTable>* memtable);

 private:
  size_t Fill(size_t user_bytes, size_t memory) const;
  size_t SharedFill(const MemTable& memtable);
  void LookAtOthers(const MemTable& memtable);
  size_t Limit() const;
  uint64_t DelayNanos(size_t bytes, size_t memtable_bytes);
  uint64_t DelayNanosPerKib() const;
  void LookAtPool(PmemTier* tier);
  uint64_t LeadOverFlush(size_t memtable_bytes) const;
  Status WaitAndSwitch(bool force_switch, WriteLog* log, std::shared_ptr<MemTable>* memtable);
  Status Switch(WriteLog* log, std::shared_ptr<MemTable>* memtable);
  bool IsForLackOfSpace(const Status& status) const;
  bool WaitForJob(uint64_t bytes);
  Status WaitForRoom(bool ignore_level0);

  DbState* const state_;
  const size_t shard_;
  size_t own_user_bytes_ = 0;     // of this shard in the memtable, when other shards were last read
  size_t others_user_bytes_ = 0;  // of the other shards, at that time
  size_t others_memory_ = 0;
  // Written lately by other shards; this shard may be delayed for them.
  size_t others_undelayed_bytes_ = 0;
  size_t limit_in_pool_;              // of a memtable whose log and values are in the pool
  uint64_t pending_delay_nanos_ = 0;  // for level 0 and for the pool
  size_t bytes_since_look_ = 0;       // since the flush schedule and the pool were checked
  uint64_t pool_nanos_per_kib_ = 0;
  int pool_steps_ = 0;  // of kPoolHeadStart that were filled at the last check
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_CONTROLLER_H_
