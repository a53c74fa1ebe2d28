// Brings back the writes that stand in logs in the pool only.
//
//   logs, oldest first -> records whose values are whole, up to the end -> the end is sealed
//     -> all entries sorted -> one memtable, which needs no flush before the database is open
//
// What is taken is exactly a prefix of the history:
//
//  * A log ends at its seal, or before the first record that is not whole or refers to a value that
//    is not. An end without a seal is made the log's end for good before new writes are accepted.
//  * If the last use of the pool came to an orderly end, every log has to be sealed.
//  * A log names its predecessor with its salt and last sequence. They have to be those of the log
//    before it, which has to be sealed. On a medium that loses unsynced pages in any order, a log
//    whose predecessor has lost its seal holds nothing that was promised to survive: it goes,
//    before the other one is sealed at an end that it does not know.
//  * Within a log the sequences follow each other without a gap.
//  * A reference is believed only if it leads into an extent that the log has named.
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

// Used once, by the thread that opens the database, when the trees have marked their extents.
class PoolLogReplay {
 public:
  // Both must outlive this object and the memtable.
  PoolLogReplay(DbState* state, PmemTier* tier);

  // Replays `logs`, which are all that the pool has from the manifest's log number on, by number.
  Status Replay(const std::vector<LogSlot>& logs);

  // How many of the logs, from the first on, the pool still has. Those behind an end that was torn
  // are gone, with their extents; and the last one, if there was nothing in it and the manifest
  // does not speak of it: a full pool must have room for the next log, however often the database
  // is opened.
  size_t logs_left() const { return logs_left_; }

  // Everything replayed, in a memtable that holds the extents; null if there was nothing. To be
  // called once.
  std::shared_ptr<MemTable> BuildMemtable();

  // The extents of all logs replayed, which must stay until the manifest has given the logs up.
  const std::shared_ptr<HeldExtents>& held() const { return held_; }

  // The newest write found; 0 if there was none.
  SequenceNumber last_sequence() const { return last_sequence_; }

  // The last log replayed, for its successor to name; number 0 if there was none.
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
