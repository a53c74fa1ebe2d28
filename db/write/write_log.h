// The write-ahead log that the current memtable's writes go to: a file (file_log), or a chain of
// extents in the pool (pool_log).
#ifndef BUSHSTORE_DB_WRITE_WRITE_LOG_H_
#define BUSHSTORE_DB_WRITE_WRITE_LOG_H_

#include <cstddef>
#include <cstdint>

#include "db/mem/memtable.h"
#include "db/write/commit_order.h"
#include "db/write/writer.h"
#include "leveldb/status.h"

namespace leveldb {

// Used by one thread at a time, one that leads a shard of the write queue, but for Shards(),
// WriteShared() and HasUnfenced().
class WriteLog {
 public:
  // `shards`: what Shards() is to say.
  explicit WriteLog(size_t shards = 1) : shards_(shards) {}
  virtual ~WriteLog() = default;
  WriteLog(const WriteLog&) = delete;
  WriteLog& operator=(const WriteLog&) = delete;

  // Puts the group's entries into the log as one record, and then into the memtable. When it
  // returns OK they are as safe as an acknowledged write has to be: they survive the end of the
  // process, and, with the group's `sync`, they and everything before them also a loss of power.
  // After an error *log_is_unchanged tells whether it is certain that a later open will find
  // nothing of the group; if it is not, nothing more must be written to the log.
  virtual Status Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) = 0;

  // How many threads may be in WriteShared at the same time, each in a shard of its own. 1: it is
  // not supported. Never changes.
  size_t Shards() const { return shards_; }

  // Has what WriteShared changes within CommitOrder::Begin kept in *tail, which lies beside the
  // order's lock and must outlive the log. Called at most once, first.
  virtual void KeepTailIn(WalTail* tail) { static_cast<void>(tail); }

  // The same as Write beside what is written in other shards: numbers the group, sets its sequence,
  // and makes it visible in its turn. False if it takes Write, alone: then nothing has been done.
  // After an error (*status) nothing more must be written. REQUIRES: Shards() > group->shard; no
  // other function is called meanwhile.
  virtual bool WriteShared(WriteGroup* group, MemTable* memtable, CommitOrder* order,
                           Status* status) {
    static_cast<void>(group);
    static_cast<void>(memtable);
    static_cast<void>(order);
    static_cast<void>(status);
    return false;
  }

  // Starts the next log, of the given number: what is written from now on goes there, and
  // `memtable`, which is new, gets hold of what belongs to it. `last_sequence` is that of the last
  // write in the log before. After an error everything goes on in that one, if *log_is_unchanged.
  virtual Status StartNext(uint64_t number, SequenceNumber last_sequence, MemTable* memtable,
                           bool* log_is_unchanged) = 0;

  virtual bool IsInPool() const = 0;

  // Whether acknowledged writes may stay unfenced for a while, until Fence() is called; and whether
  // there are any.
  virtual bool DefersFences() const = 0;
  virtual bool HasUnfenced() const = 0;
  virtual void Fence() = 0;

  // Ends the log in an orderly way. It is not used any more. `last_sequence` as in StartNext. When
  // this returns OK, a log in the pool survives a loss of power: a log of another kind may follow,
  // whose syncs do not reach it.
  virtual Status Close(SequenceNumber last_sequence) = 0;

 private:
  const size_t shards_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_LOG_H_
