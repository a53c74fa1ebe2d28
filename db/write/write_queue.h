// The one door for writes: group commit in the order of arrival.
//
// Writers line up in a linked list whose end is swapped atomically (the queue of an MCS lock,
// Mellor-Crummey and Scott, 1991). The first in line leads: it makes room, joins the batches that
// are waiting behind it into one log record, appends and, if asked, syncs it, puts the entries into
// the memtable, and only then makes them visible by raising the last sequence. Then it wakes its
// group, and the next in line leads. No lock is taken unless a memtable is switched.
#ifndef BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_
#define BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "db/mem/memtable.h"
#include "db/write/write_log.h"
#include "db/write/write_stall.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

namespace leveldb {

class DbState;

// Thread-safe.
class WriteQueue {
 public:
  // `state` is not owned, has been published once, and must outlive the queue. Writes go to its
  // memtable and to `file`, the log of number `log_number` that holds `log_length` bytes.
  WriteQueue(DbState* state, uint64_t log_number, std::unique_ptr<WritableFile> file,
             uint64_t log_length);
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  // Applies the batch atomically. When this returns OK it is visible to reads, it survives the end
  // of the process, and, with `sync`, also a loss of power. The batch's sequence field is set.
  Status Write(WriteBatch* batch, bool sync);

  // The same for a single entry. Neither slice is changed or kept.
  Status Put(const Slice& key, const Slice& value, bool sync);
  Status Delete(const Slice& key, bool sync);

  // Switches the memtable unless it is empty, so that all writes up to now will be flushed.
  Status SwitchMemtable();

 private:
  struct Writer;

  Status Enter(Writer* writer);
  void Lead(Writer* leader);
  Status WriteGroup(Writer* leader, Writer** last);
  void LeaveTogether(Writer* leader, Writer* last);
  Writer* CollectGroup(Writer* leader, Slice* record);
  Status Commit(const Slice& record, bool sync);

  DbState* const state_;
  std::atomic<Writer*> tail_{nullptr};

  // The leader's.
  WriteLog log_;
  WriteStall stall_;
  std::shared_ptr<MemTable> memtable_;
  std::string joined_;  // the record of a group, where that is not the leader's own batch
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_QUEUE_H_
