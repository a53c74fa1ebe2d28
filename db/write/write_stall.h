// Back-pressure: what a write waits for before it may go on.
//
// Writers outrun the background in two ways, and in both the delay is spread over many writes, well
// before the point where a writer has to stop:
//
//  * Memtables fill faster than they are flushed. While a flush is running, the memtable is filled
//    to a schedule: the part that may be full grows with the part of the flush that is done, as far
//    as the speed of the flush before tells. A writer ahead of the schedule takes a nap.
//  * Tables of level 0 come faster than they are compacted. Then each byte written owes some
//    nanoseconds, more with every table, which are paid in naps.
//
// Only when that was not enough does a writer wait.
#ifndef BUSHSTORE_DB_WRITE_WRITE_STALL_H_
#define BUSHSTORE_DB_WRITE_WRITE_STALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "db/mem/memtable.h"
#include "leveldb/status.h"

namespace leveldb {

class DbState;
class WriteLog;

// How full a memtable is, and how far the flush of the one before has come.
struct FlushRace {
  double fill = 0;              // 1: full
  uint64_t elapsed_nanos = 0;   // since the flush was asked for
  uint64_t expected_nanos = 0;  // that the flush takes in all; 0: not known
};

// How long a writer has to rest until the flush has caught up with the schedule. Pure.
uint64_t LeadNanos(const FlushRace& race);

// The nanoseconds that a KiB of new data owes when level 0 has so many tables. Pure.
uint64_t Level0NanosPerKib(int level0_files);

// Used by one thread at a time: the leader of the write queue.
class WriteStall {
 public:
  // Neither is owned; both must outlive this object.
  WriteStall(DbState* state, WriteLog* log) : state_(state), log_(log) {}
  WriteStall(const WriteStall&) = delete;
  WriteStall& operator=(const WriteStall&) = delete;

  // Returns when `*memtable`, the one being filled, has room for more. If it is full, or with
  // `force_switch` if it has any entry, it is switched and `*memtable` set to the new one; that
  // waits for a flush that is still running and, unless forced, for level 0. `bytes` is the size of
  // the write to come. Returns the background error if there is one.
  Status MakeRoom(size_t bytes, bool force_switch, std::shared_ptr<MemTable>* memtable);

 private:
  void Pace(size_t bytes, size_t memtable_bytes);
  uint64_t LeadOverFlush(size_t bytes, size_t memtable_bytes);
  Status WaitAndSwitch(bool force_switch, std::shared_ptr<MemTable>* memtable);
  Status WaitForRoom(bool ignore_level0);

  DbState* const state_;
  WriteLog* const log_;
  uint64_t owed_nanos_ = 0;      // to level 0
  size_t bytes_since_look_ = 0;  // at the race with the flush
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_STALL_H_
