// Back-pressure: what a write waits for before it may go on.
//
// Writers outrun the background in two ways: memtables fill faster than they are flushed, and
// tables of level 0 come faster than they are compacted. In both cases the delay is spread: well
// before the point where a writer has to stop, each byte written owes some nanoseconds, which are
// paid in naps of about a millisecond. Only when that was not enough does a writer wait.
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

// What the delay depends on.
struct StallInputs {
  int level0_files = 0;
  bool flush_pending = false;        // there is an immutable memtable
  uint64_t flush_nanos_per_kib = 0;  // how fast flushes have been lately; 0: not known
  size_t memtable_bytes = 0;         // of the memtable that is being filled
  size_t memtable_limit = 1;         // when it counts as full
};

// The nanoseconds that a KiB of new data owes. Pure.
uint64_t DelayNanosPerKib(const StallInputs& inputs);

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
  Status WaitAndSwitch(bool force_switch, std::shared_ptr<MemTable>* memtable);
  Status WaitForRoom(bool ignore_level0);

  DbState* const state_;
  WriteLog* const log_;
  uint64_t owed_nanos_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_STALL_H_
