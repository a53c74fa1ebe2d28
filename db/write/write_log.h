// WriteLog is the write-ahead log of the current memtable's writes: a file (file_log), or a chain
// of extents in the pool (pool_log).
#ifndef BUSHSTORE_DB_WRITE_WRITE_LOG_H_
#define BUSHSTORE_DB_WRITE_WRITE_LOG_H_

#include <cstddef>
#include <cstdint>

#include "db/mem/memtable.h"
#include "db/write/commit_order.h"
#include "db/write/writer.h"
#include "leveldb/status.h"

namespace leveldb {

// Used by one thread at a time, one that leads a shard of the write queue, except Shards(),
// WriteShared() and HasUnfenced().
class WriteLog {
 public:
  // `shards` is the number that Shards() returns.
  explicit WriteLog(size_t shards = 1) : shards_(shards) {}
  virtual ~WriteLog() = default;
  WriteLog(const WriteLog&) = delete;
  WriteLog& operator=(const WriteLog&) = delete;

  // Appends the group's entries to the log as one record and then inserts them into the memtable.
  // When it returns OK the entries are as safe as an acknowledged write must be: they survive the
  // end of the process, and, with the group's `sync`, they and everything before them also a loss
  // of power. After an error *log_is_unchanged tells whether it is certain that a later open will
  // find nothing of the group; if it is false, nothing more must be written to the log.
  virtual Status Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) = 0;

  // Returns how many threads may be in WriteShared at the same time, each in a shard of its own. 1:
  // WriteShared is not supported. Never changes.
  size_t Shards() const { return shards_; }

  // Keeps what WriteShared changes within CommitOrder::Begin in *tail, which lies in the cache line
  // of the order's lock and must outlive the log. Called at most once, first.
  virtual void KeepTailIn(WalTail* tail) { static_cast<void>(tail); }

  // Writes like Write, concurrently with writes in other shards: numbers the group, sets its
  // sequence, and makes it visible in its turn. Returns false, without side effects, if exclusive
  // access is required (Write). After an error (*status) nothing more must be written. REQUIRES:
  // Shards() > group->shard; no other function is called meanwhile.
  virtual bool WriteShared(WriteGroup* group, MemTable* memtable, CommitOrder* order,
                           Status* status) {
    static_cast<void>(group);
    static_cast<void>(memtable);
    static_cast<void>(order);
    static_cast<void>(status);
    return false;
  }

  // Starts the next log, of the given number: later writes go there, and `memtable`, which is new,
  // holds the extents that belong to it. `last_sequence` is that of the last write in the previous
  // log. After an error the previous log remains in use if *log_is_unchanged.
  virtual Status StartNext(uint64_t number, SequenceNumber last_sequence, MemTable* memtable,
                           bool* log_is_unchanged) = 0;

  virtual bool IsInPool() const = 0;

  // DefersFences returns whether acknowledged writes may stay unfenced for a while, until Fence()
  // is called; HasUnfenced returns whether there are any.
  virtual bool DefersFences() const = 0;
  virtual bool HasUnfenced() const = 0;
  virtual void Fence() = 0;

  // Ends the log in an orderly way. The log must not be used after this. `last_sequence` as in
  // StartNext. When this returns OK, a log in the pool survives a loss of power: a log of another
  // kind may follow, whose syncs do not reach it.
  virtual Status Close(SequenceNumber last_sequence) = 0;

 private:
  const size_t shards_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_LOG_H_
