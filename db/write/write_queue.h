// WriteQueue is the entry point of all writes: group commit in the order of arrival.
//
// Writers line up in a linked list whose tail is swapped atomically (the queue of an MCS lock,
// Mellor-Crummey and Scott, 1991). The first in line leads: it makes room, writes the batches that
// are waiting after it together with its own to the log and the memtable (write_log), and only then
// makes them visible by raising the last sequence. Then it wakes its group, and the next in line
// leads. No lock is taken unless a memtable is switched or the pool fills up.
//
// There are two such queues, called shards. If the log allows it, their leaders write concurrently
// (commit_gate, commit_order). A thread stays in its shard as long as no other thread is there.
//
// Most of the time of an insertion into the memtable is memory latency. A writer that waits for its
// turn looks up its keys in the memtable, so that the nodes are in its cache when its turn comes.
#ifndef BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_
#define BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

#include "db/mem/memtable.h"
#include "db/write/commit_gate.h"
#include "db/write/commit_order.h"
#include "db/write/write_controller.h"
#include "db/write/write_log.h"
#include "db/write/writer.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "port/cache_line.h"
#include "util/delayed_call.h"

namespace leveldb {

class DbState;

// Thread-safe.
class WriteQueue {
 public:
  // `state` is not owned, has been published once, and must outlive the queue. Writes go to its
  // memtable and to `log`, which the queue owns.
  WriteQueue(DbState* state, std::unique_ptr<WriteLog> log);
  // Ends the log. REQUIRES: nothing is written any more.
  ~WriteQueue();
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  // Applies the batch atomically. When this returns OK the batch is visible to reads and survives
  // the end of the process and, with `sync`, also a loss of power. The batch's sequence field is
  // set.
  Status Write(WriteBatch* batch, bool sync);

  // Put and Delete write a single entry with the same guarantees. Neither slice is changed or kept.
  // They return InvalidArgument for a key or value of 4 GiB or more, since it could not be read
  // again.
  Status Put(const Slice& key, const Slice& value, bool sync);
  Status Delete(const Slice& key, bool sync);

  // Switches the memtable unless it is empty, so that all writes up to now will be flushed.
  Status SwitchMemtable();

  // Switches to a log file and, unless the memtable is empty, to a new memtable. When this returns
  // OK nothing is written to a log in the pool any more. Does nothing if the log is a file already.
  Status LeavePool();

 private:
  struct alignas(kApartBytes) Shard {
    Shard(DbState* state, size_t shard) : number(shard), controller(state, shard) {}

    const size_t number;
    std::atomic<Writer*> tail{nullptr};
    WriteController controller;  // used by the leader
  };

  Status Enter(Writer* writer);
  Shard& ChooseShard();
  void PrefetchForWriter(const Shard& shard, const Writer& writer) const;
  void Lead(Shard* shard, Writer* leader);
  Status Serve(Shard* shard, Writer* leader, Writer** last);
  bool DelayWrite(Shard* shard, CommitGate::Shared* gate, const Writer& leader);
  bool ServeShared(Shard* shard, Writer* leader, Writer** last, Status* status);
  Status ServeExclusive(Shard* shard, Writer* leader, Writer** last);
  Status WriteExclusive(Shard* shard, Writer* leader, Writer** last);
  void LeaveTogether(Shard* shard, Writer* leader, Writer* last);
  Writer* LastOfGroup(Writer* leader) const;
  Status Commit(Shard* shard, const WriteGroup& group);
  Status Fail(const char* what, const Status& status);
  Status FailForMemory();
  Status MoveLogToFile(Shard* shard);

  DbState* const state_;
  std::array<Shard, CommitGate::kShards> shards_;
  CommitGate gate_;
  CommitOrder order_;

  // Read under shared access; changed under exclusive access or, if the log has only one shard, by
  // the leader of shard 0.
  alignas(kApartBytes) std::unique_ptr<WriteLog> log_;
  std::shared_ptr<MemTable> memtable_;
  std::atomic<bool> is_sharded_;  // more than one shard; a hint for threads outside the gate

  std::unique_ptr<DelayedCall> fence_timer_;  // null if the log defers no fences
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_
