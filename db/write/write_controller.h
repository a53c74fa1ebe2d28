// Back-pressure: what a write waits for before it may go on.
//
// Writers outrun the background in several ways, and always the delay is spread over many writes,
// well before the point where a writer has to stop:
//
//  * Memtables fill faster than they are flushed. While a flush is running, the memtable is filled
//    to a schedule: the part that may be full grows with the part of the flush that is done. That
//    is what the flush has walked over, or what the speed of the flush before tells if that is
//    less, since a flush is not over then. A writer ahead of the schedule takes a nap.
//  * Tables or trees of level 0 come faster than they are merged, or the pool is filled faster than
//    it is spilled. Then each byte written owes some nanoseconds, more with every table, tree and
//    extent, which are paid in naps.
//
// Two writers nap in turns, which leaves one processor to the background and the other one in use;
// only when that is not enough do both.
//
// Only when that was not enough does a writer wait.
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

// How full a memtable is, and how far the flush of the one before has come.
struct FlushRace {
  double fill = 0;              // 1: full
  double walked = 1;            // of the memtable before; 1: all of it
  uint64_t elapsed_nanos = 0;   // since the flush was asked for
  uint64_t expected_nanos = 0;  // that the flush takes in all; 0: not known
};

// How long a writer has to rest until the flush has caught up with the schedule. Pure.
uint64_t LeadNanos(const FlushRace& race);

// The nanoseconds that a KiB of new data owes when level 0 is so deep: those of the slowdown
// trigger, doubled with each table further, up to a millisecond. Pure.
uint64_t Level0NanosPerKib(int depth, uint64_t nanos_at_slowdown);

// The same when spills, which take so long for a KiB (0: not known), fall behind: `filled` of the
// part of the pool that is left when they begin is taken (0 to 1). Pure.
uint64_t PoolNanosPerKib(double filled, uint64_t spill_nanos_per_kib);

// Of one shard of the write queue. Used by one thread at a time, the one that leads there.
class WriteController {
 public:
  // `state` is not owned and must outlive this object. Writes of this shard go to that part of
  // memtables.
  WriteController(DbState* state, size_t shard);
  WriteController(const WriteController&) = delete;
  WriteController& operator=(const WriteController&) = delete;

  // Whether a write of `bytes` may go to `memtable` while other shards write there, too, after a
  // nap of so long (mostly 0). If not, it takes MakeRoom, alone: the memtable is full, or writes
  // fail. Where the pool fills up it looks for jobs, which takes the database's mutex, and may
  // throw std::bad_alloc.
  bool HasRoom(size_t bytes, const MemTable& memtable, uint64_t* delay_nanos);
  // REQUIRES: the others need not wait for this one.
  void Delay(uint64_t nanos);

  // Returns when `*memtable`, the one being filled, has room for more. If it is full, or with
  // `force_switch` if it has any entry, it is switched, and `*log` with it, and `*memtable` set to
  // the new one; that waits for a flush that is still running and, unless forced, for level 0.
  // What `*log` has acknowledged is fenced before a wait. Returns the background error if there is
  // one, or an error instead of a wait that nothing would end because the database is being closed.
  // REQUIRES, here and below: no other thread writes.
  Status MakeRoom(bool force_switch, WriteLog* log, std::shared_ptr<MemTable>* memtable);

  // After a try to write `bytes` that has left `log` unchanged: whether another one is worth while
  // because the pool was full and a job may have freed some of it, which this waits for. If jobs
  // may need it, the memtable is switched as in MakeRoom. False if no job can help or writes fail
  // anyway; one last try is then due, since a job may have ended just before.
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
  size_t own_user_bytes_ = 0;     // in the memtable, of this shard, when others were looked at
  size_t others_user_bytes_ = 0;  // and of those
  size_t others_memory_ = 0;
  size_t others_undelayed_bytes_ =
      0;                  // of what they have written lately, what this shard may owe for
  size_t limit_in_pool_;  // of a memtable whose log and values are in the pool
  uint64_t pending_delay_nanos_ = 0;  // to level 0 and to the pool
  size_t bytes_since_look_ = 0;       // at the race with the flush, and at the pool
  uint64_t pool_nanos_per_kib_ = 0;
  int pool_steps_ = 0;  // by which the pool was filled at the last look
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_CONTROLLER_H_
