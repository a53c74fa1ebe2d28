// PoolLog is a write-ahead log in the pool.
//
// Large values go straight to value extents (value_separator), then one record with the keys, the
// small values and the references goes to the log. Value and record share one fence, since a replay
// checks both (pmem/wal/wal_reader.h). The log waits for that fence only after the entries are in
// the memtable, where they are not visible before the write is acknowledged.
//
// Two threads may write at the same time, each in a shard with a value extent and a record under
// construction of its own. What they share is taken in a few instructions (commit_order): the
// sequence numbers, and with them the record's offset in the log. Anything that takes longer, such
// as a fresh extent, requires exclusive access. Shards are only for logs in which every write is
// fenced at once: in other logs several writes share a fence.
//
// Two extents are kept spare. One allows a memtable switch, and with it a flush, when the pool is
// full. The other one is reserved for the log that begins when the database is opened the next
// time: without it nothing is written.
#ifndef BUSHSTORE_DB_WRITE_POOL_LOG_H_
#define BUSHSTORE_DB_WRITE_POOL_LOG_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "db/write/fence_policy.h"
#include "db/write/value_separator.h"
#include "db/write/write_log.h"
#include "entry/compact_batch.h"
#include "entry/value_ref.h"
#include "leveldb/status.h"
#include "pmem/media/extents.h"
#include "pmem/media/pending_stores.h"
#include "pmem/media/pool.h"
#include "pmem/pmem_stats.h"
#include "pmem/value/value_writer.h"
#include "pmem/wal/wal_writer.h"
#include "port/cache_line.h"

namespace leveldb {

// What a pool log works on and its settings. Nothing is owned; all of it must outlive the log.
struct PoolLogContext {
  Pool* pool = nullptr;
  Extents* extents = nullptr;
  PmemStats* stats = nullptr;
  uint64_t value_separation_bytes = 0;
  uint64_t wal_persist_bytes = 0;  // the granularity, see fence_policy
};

class PoolLog final : public WriteLog {
 public:
  // Returns stores for WalWriter::Create and for the log that continues with the result.
  static std::unique_ptr<PendingStores> NewStores(const PoolLogContext& context);

  // Continues `wal`, which is new and was made with `stores`; writes are numbered from
  // `first_sequence` on, which is also recorded in `wal`. The memtable of these writes must hold
  // wal->held().
  PoolLog(const PoolLogContext& context, std::unique_ptr<PendingStores> stores,
          std::unique_ptr<WalWriter> wal, SequenceNumber first_sequence);
  ~PoolLog() override;

  Status Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) override;
  void KeepTailIn(WalTail* tail) override;
  bool WriteShared(WriteGroup* group, MemTable* memtable, CommitOrder* order,
                   Status* status) override;
  Status StartNext(uint64_t number, SequenceNumber last_sequence, MemTable* memtable,
                   bool* log_is_unchanged) override;
  bool IsInPool() const override { return true; }
  bool DefersFences() const override { return fences_.DefersFences(); }
  bool HasUnfenced() const override { return fences_.HasUnfenced(); }
  void Fence() override { fences_.Fence(); }
  Status Close(SequenceNumber last_sequence) override;

 private:
  struct alignas(kApartBytes) Shard {
    explicit Shard(const PoolLogContext& context)
        : values(context.pool, context.extents),
          separator(context.value_separation_bytes, &values) {}

    ValueWriter values;
    ValueSeparator separator;
    CompactBatchBuilder batch;         // the record of the group being written, if it has several
    std::vector<PoolOffset> opened;    // for that group
    uint64_t value_bytes_counted = 0;  // of `values`
  };

  // What a write under shared access has reserved before it stores anything.
  struct Preparation {
    CommitOrder::Turn turn;
    WalWriter::Reservation reservation;
  };

  // The preparation of a single entry, which is the most common write, and the entry itself.
  struct EntryPreparation : Preparation {
    MemTable::InsertHint hint;
    CompactEntry entry;
    size_t size;         // of the entry
    ValueRef reference;  // of kTypeValueRef
    char encoded_reference[kValueRefSize];
  };

  Status ReserveSpares();
  Status Append(const WriteGroup& group);
  Status Separate(const WriteGroup& group);
  void GiveUpSince(const ValueWriter::Position& before, Shard* shard);
  Status NoteOpenedExtents();
  bool IsEntryInPlace(const WriteGroup& group) const;
  template <class AnyPreparation>
  bool WriteSharedAs(WriteGroup* group, MemTable* memtable, CommitOrder* order, Status* status);
  bool Begin(WriteGroup* group, MemTable* memtable, CommitOrder* order, Preparation* prepared);
  bool Begin(WriteGroup* group, MemTable* memtable, CommitOrder* order, EntryPreparation* prepared);
  bool TakeTurn(WriteGroup* group, size_t entries, size_t bytes, CommitOrder* order,
                Preparation* prepared);
  Status Finish(const WriteGroup& group, MemTable* memtable, Preparation* prepared);
  Status Finish(const WriteGroup& group, MemTable* memtable, EntryPreparation* prepared);
  Status MakePersistent(bool sync) const;
  Status InsertInto(MemTable* memtable, const WriteGroup& group) const;
  void Count(const WriteGroup& group, uint64_t user_bytes, uint64_t log_bytes);
  Shard& ShardOf(const WriteGroup& group) { return shards_[group.shard]; }

  const PoolLogContext context_;
  FencePolicy fences_;
  std::unique_ptr<WalWriter> wal_;
  WalTail* tail_ = nullptr;            // of wal_; null: wal_ keeps its own
  SequenceNumber first_sequence_;      // of the log
  std::vector<PoolOffset> unnoted_;    // value extents that the log has not named yet
  std::vector<PoolOffset> spares_;     // with one reference each
  uint64_t log_bytes_counted_ = 0;     // of wal_
  std::atomic<bool> is_sound_ = true;  // everything in the log has been acknowledged
  std::array<Shard, kWalWriters> shards_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_POOL_LOG_H_
