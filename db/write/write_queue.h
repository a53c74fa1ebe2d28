// The one door for writes: group commit in the order of arrival.
//
// Writers line up in a linked list whose end is swapped atomically (the queue of an MCS lock,
// Mellor-Crummey and Scott, 1991). The first in line leads: it makes room, writes the batches that
// are waiting behind it together with its own to the log and the memtable (write_log), and only
// then makes them visible by raising the last sequence. Then it wakes its group, and the next in
// line leads. No lock is taken unless a memtable is switched.
//
// Inserting into the memtable is mostly waiting for memory. A writer that waits for its turn looks
// up its keys there, so that they are in its cache when the turn has come.
#ifndef BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_
#define BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_

#include <atomic>
#include <memory>

#include "db/mem/memtable.h"
#include "db/write/fence_timer.h"
#include "db/write/write_log.h"
#include "db/write/write_stall.h"
#include "db/write/writer.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

namespace leveldb {

class DbState;

// Thread-safe.
class WriteQueue {
 public:
  // `state` is not owned, has been published once, and must outlive the queue. Writes go to its
  // memtable and to `log`, which belongs to it.
  WriteQueue(DbState* state, std::unique_ptr<WriteLog> log);
  // Ends the log. REQUIRES: nobody writes any more.
  ~WriteQueue();
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  // Applies the batch atomically. When this returns OK it is visible to reads, it survives the end
  // of the process, and, with `sync`, also a loss of power. The batch's sequence field is set.
  Status Write(WriteBatch* batch, bool sync);

  // The same for a single entry. Neither slice is changed or kept. InvalidArgument for one of 4 GiB
  // or more: nothing could read it again.
  Status Put(const Slice& key, const Slice& value, bool sync);
  Status Delete(const Slice& key, bool sync);

  // Switches the memtable unless it is empty, so that all writes up to now will be flushed.
  Status SwitchMemtable();

  // Goes on with a log file and, unless the memtable is empty, a new memtable. When this returns OK
  // nothing is written to a log in the pool any more. Does nothing if the log is a file already.
  Status LeavePool();

 private:
  Status Enter(Writer* writer);
  void Approach(const Writer& writer) const;
  void Lead(Writer* leader);
  Status Serve(Writer* leader, Writer** last);
  void LeaveTogether(Writer* leader, Writer* last);
  Writer* LastOfGroup(Writer* leader) const;
  Status Commit(const WriteGroup& group);
  Status MoveLogToFile();

  DbState* const state_;
  std::atomic<Writer*> tail_{nullptr};

  // The leader's.
  std::unique_ptr<WriteLog> log_;
  WriteStall stall_;
  std::shared_ptr<MemTable> memtable_;

  std::unique_ptr<FenceTimer> fence_timer_;  // null if the log defers no fences
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_
