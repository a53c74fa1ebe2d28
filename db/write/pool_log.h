// A write-ahead log in the pool.
//
// Large values go straight to value extents (value_separator), then one record with the keys, the
// small values and the references goes to the log. Value and record leave with one fence: a replay
// checks both (pmem/wal/wal_reader.h). That fence is waited for only when the entries are in the
// memtable, where nobody sees them before the write is acknowledged.
//
// Two extents are kept spare. One lets a memtable be switched, and so flushed, when the pool is
// full. The other is free for the log that begins when the database is opened the next time:
// without it nothing is written.
#ifndef BUSHSTORE_DB_WRITE_POOL_LOG_H_
#define BUSHSTORE_DB_WRITE_POOL_LOG_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "db/write/fence_policy.h"
#include "db/write/value_separator.h"
#include "db/write/write_log.h"
#include "entry/compact_batch.h"
#include "leveldb/status.h"
#include "pmem/media/extents.h"
#include "pmem/media/pending_stores.h"
#include "pmem/media/pool.h"
#include "pmem/pmem_stats.h"
#include "pmem/value/value_writer.h"
#include "pmem/wal/wal_writer.h"

namespace leveldb {

// What a pool log works on and by. Nothing is owned; all of it must outlive the log.
struct PoolLogContext {
  Pool* pool = nullptr;
  Extents* extents = nullptr;
  PmemStats* stats = nullptr;
  uint64_t value_separation_bytes = 0;
  uint64_t wal_persist_bytes = 0;  // the granularity, see fence_policy
};

class PoolLog final : public WriteLog {
 public:
  // Stores for WalWriter::Create and for the log that goes on with it.
  static std::unique_ptr<PendingStores> NewStores(const PoolLogContext& context);

  // Goes on in `wal`, which is new and was made with `stores`; writes are numbered from
  // `first_sequence` on, as it says. The memtable that they go to must hold wal->held().
  PoolLog(const PoolLogContext& context, std::unique_ptr<PendingStores> stores,
          std::unique_ptr<WalWriter> wal, SequenceNumber first_sequence);
  ~PoolLog() override;

  Status Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) override;
  Status StartNext(uint64_t number, SequenceNumber last_sequence, MemTable* memtable,
                   bool* log_is_unchanged) override;
  bool IsInPool() const override { return true; }
  bool DefersFences() const override { return fences_.DefersFences(); }
  bool HasUnfenced() const override { return fences_.HasUnfenced(); }
  void Fence() override { fences_.Fence(); }
  Status Close(SequenceNumber last_sequence) override;

 private:
  Status ReserveSpares();
  Status Append(const WriteGroup& group);
  Status Separate(const WriteGroup& group);
  void GiveUpSince(const ValueWriter::Position& before);
  Status NoteOpenedExtents();
  Status InsertInto(MemTable* memtable) const;
  void Count(const MemTable& memtable, size_t user_bytes_before);

  const PoolLogContext context_;
  FencePolicy fences_;
  std::unique_ptr<WalWriter> wal_;
  SequenceNumber first_sequence_;  // of the log
  ValueWriter values_;
  ValueSeparator separator_;
  CompactBatchBuilder batch_;         // the record of the group being written
  std::vector<Place> opened_;         // for the group being written
  std::vector<Place> unnoted_;        // value extents that the log has not named yet
  std::vector<Place> spares_;         // with a reference each
  uint64_t log_bytes_counted_ = 0;    // of wal_
  uint64_t value_bytes_counted_ = 0;  // of values_
  bool is_sound_ = true;              // everything in the log has been acknowledged
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_POOL_LOG_H_
