// Recovers the writes that are only in logs in the pool.
//
//   logs, oldest first -> records whose values are whole, up to the end -> the end is sealed
//     -> all entries sorted -> one memtable, which needs no flush before the database is open
//
// The result is exactly a prefix of the history:
//
//  * A log ends at its seal, or before the first record that is incomplete or refers to an
//    incomplete value. An end without a seal is sealed before new writes are accepted.
//  * If the pool was closed cleanly, every log must be sealed.
//  * A log stores its predecessor's salt and last sequence. They must match the log before it,
//    which must be sealed. On a medium that loses unsynced pages in any order, a log whose
//    predecessor has lost its seal holds no write that was promised to survive: it is removed
//    before the predecessor is sealed at an end that the log does not know.
//  * Within a log the sequences follow each other without a gap.
//  * A reference is valid only if it points into an extent that the log has named.
#ifndef BUSHSTORE_DB_OPEN_POOL_LOG_REPLAY_H_
#define BUSHSTORE_DB_OPEN_POOL_LOG_REPLAY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "db/mem/memtable.h"
#include "db/open/replayed_entries.h"
#include "db/state/db_state.h"
#include "entry/internal_key.h"
#include "leveldb/status.h"
#include "pmem/media/held_extents.h"
#include "pmem/pmem_tier.h"
#include "pmem/wal/wal_reader.h"

namespace leveldb {

// Used once, by the thread that opens the database, after the trees have marked their extents.
class PoolLogReplay {
 public:
  // Both arguments must outlive this object and the memtable.
  PoolLogReplay(DbState* state, PmemTier* tier);

  // Replays `logs`, ordered by number: all logs in the pool from the manifest's log number on.
  Status Replay(const std::vector<LogSlot>& logs);

  // Returns how many of the logs, from the first on, the pool still has. Logs after a torn end are
  // removed, with their extents. So is the last log if it is empty and the manifest does not name
  // it: a full pool must have room for the next log, however often the database is opened.
  size_t logs_left() const { return logs_left_; }

  // Returns a memtable with everything replayed, which holds the extents; null if there was
  // nothing. Must be called at most once.
  std::shared_ptr<MemTable> BuildMemtable();

  // Returns the extents of all logs replayed, which must be kept until the manifest drops the logs.
  const std::shared_ptr<HeldExtents>& held() const { return held_; }

  // Returns the sequence of the newest write found; 0 if there was none.
  SequenceNumber last_sequence() const { return last_sequence_; }

  // Returns the last log replayed, the predecessor of the next log; number 0 if there was none.
  const WalPredecessor& last_log() const { return last_log_; }

 private:
  Status CheckNoneFollows() const;
  Status ReplayOne(const std::vector<LogSlot>& logs, size_t index);
  Status CheckPredecessor(const WalReader& reader) const;
  Status ReadRecords(WalReader* reader);
  Status AddRecord(const Slice& record, const WalReader& reader, Status* torn);
  Status CheckReference(const Slice& encoded, const WalReader& reader, Status* torn);
  Status HoldExtents(const WalReader& reader);
  Status CheckEnd(const WalReader& reader, bool is_last) const;
  Status Forget(const std::vector<LogSlot>& logs, size_t from);

  DbState* const state_;
  PmemTier* const tier_;
  std::shared_ptr<HeldExtents> held_;
  SequenceNumber last_sequence_ = 0;
  SequenceNumber next_sequence_ = 0;  // that the log's next record has to begin with
  WalPredecessor last_log_;
  size_t logs_left_ = 0;

  ReplayedEntries entries_;                       // in the pool or in kept_
  std::deque<std::string> kept_;                  // records that are not in one piece in the pool
  std::unordered_set<PoolOffset> named_extents_;  // of the log that is being read
  size_t named_extents_seen_ = 0;
  std::vector<ValuePiece> pieces_;  // of values of the record that is being read
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_POOL_LOG_REPLAY_H_
