// WalWriter: appends records to one log in the pool.
//
// It stores and never fences, except what a record alone cannot prove: the log's beginning, and the
// extents in which it continues or in which its values lie, are fenced before what follows them.
// The caller decides when records become persistent, through `stores` and its own fences.
#ifndef BUSHSTORE_PMEM_WAL_WAL_WRITER_H_
#define BUSHSTORE_PMEM_WAL_WAL_WRITER_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/media/extents.h"
#include "pmem/media/held_extents.h"
#include "pmem/media/pending_stores.h"
#include "pmem/media/pool.h"
#include "pmem/wal/wal_record.h"
#include "pmem/wal/wal_tail.h"
#include "port/cache_line.h"

namespace leveldb {

// Used by one thread at a time, except Fill and FillInPlace.
class alignas(kApartBytes) WalWriter {
 public:
  // Space for a record in the log.
  struct Reservation {
    char* to = nullptr;
    uint32_t seed = 0;  // of its sum
    size_t size = 0;    // with padding
  };

  // Creates log `number` and names it in the pool's root; both are persistent on return. The log's
  // extents are added to *held as they are reserved. Sets start.deferred and start.unordered
  // according to `stores` and the pool. `previous`, if not null, is the log that start.predecessor
  // describes; it is sealed once everything that may run out has been reserved: if this fails and
  // previous->sealed() is still false, nothing has changed. IOError if the pool is full or has no
  // slot left for a log. Only `held` is owned; the other objects must outlive the writer.
  static Status Create(Pool* pool, Extents* extents, PendingStores* stores, uint64_t number,
                       WalStart start, WalWriter* previous, std::shared_ptr<HeldExtents> held,
                       std::unique_ptr<WalWriter>* writer);

  WalWriter(const WalWriter&) = delete;
  WalWriter& operator=(const WalWriter&) = delete;

  // Appends a record. IOError if the pool is full: then the log is unchanged. Allocates no memory
  // unless an extent is reserved. REQUIRES: the payload is not empty; Seal was not called.
  Status Append(const Slice& payload);

  // Append in two steps, the first of which takes little time, so that two threads may store their
  // records concurrently. Reserve returns false if the record does not fit into the extent that is
  // being filled, and therefore needs Append. REQUIRES, for Fill: the payload has the size that was
  // reserved; `kind` is kWhole, or kShared if something before it may not be fenced.
  bool Reserve(size_t payload_size, Reservation* reservation);
  void Fill(const Reservation& reservation, WalKind kind, const Slice& payload);  // thread-safe

  // Same as Fill for a small payload, which write(char* to) produces at `to`; it returns the end of
  // the payload.
  static constexpr size_t kMaxWrittenInPlace = 448;
  template <class Write>
  void FillInPlace(const Reservation& reservation, WalKind kind, size_t payload_size,
                   const Write& write) {
    assert(payload_size <= kMaxWrittenInPlace);
    alignas(kWalLineAlignment) char staged[kStagedBytes];
    const size_t header_size = EncodeWalHeader(kind, payload_size, staged);
    const char* const end = write(staged + header_size);
    assert(end == staged + header_size + payload_size);
    StoreStaged(reservation, staged, static_cast<size_t>(end - staged));
  }

  // Keeps the state that Reserve changes in *tail from now on. *tail may be next to the lock under
  // which Reserve is called, and must outlive the writer. No other writer that is not sealed may
  // keep its state there.
  void KeepTailIn(WalTail* tail);

  // Records that values of the following records are in these extents, and fences. Same errors as
  // Append.
  Status NoteValueExtents(const std::vector<PoolOffset>& pool_offsets);

  // Ends the log. `last_sequence` is that of the last write in it, or before it. Everything
  // appended, and then the seal, is fenced on return.
  void Seal(uint64_t last_sequence);

  bool sealed() const { return sealed_; }
  uint64_t number() const { return number_; }
  uint64_t salt() const { return salt_; }
  const std::shared_ptr<HeldExtents>& held() const { return held_; }

  // Returns the bytes stored so far, headers and padding included, without what was reserved.
  uint64_t written_bytes() const { return written_bytes_; }

 private:
  // Records up to this size are assembled before they are stored.
  static constexpr size_t kStagedBytes = 512;
  static_assert(kMaxWrittenInPlace + kWalLineAlignment <= kStagedBytes);

  WalWriter(Pool* pool, Extents* extents, PendingStores* stores, uint64_t number, size_t alignment,
            std::shared_ptr<HeldExtents> held);

  size_t Aligned(size_t n) const { return (n + alignment_ - 1) & ~(alignment_ - 1); }
  size_t Room() const { return extent_size_ - kWalTailRoom - tail_->used; }
  size_t PieceThatFits(size_t room, size_t payload_size) const;
  Status ReserveForPieces(size_t payload_size, std::vector<PoolOffset>* fresh);
  Status AppendInPieces(const Slice& payload);
  void StartExtent(PoolOffset extent);
  void GoOnIn(PoolOffset extent);
  Reservation Take(size_t payload_size);
  void StoreStaged(const Reservation& reservation, char* staged, size_t size);
  void Put(WalKind kind, const Slice& payload);

  Pool* const pool_;
  Extents* const extents_;
  PendingStores* const stores_;
  const uint64_t number_;
  const uint64_t salt_;
  const size_t alignment_;
  const uint64_t extent_size_;
  const std::shared_ptr<HeldExtents> held_;

  WalTail own_tail_;
  WalTail* tail_ = &own_tail_;
  bool sealed_ = false;
  uint64_t written_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_WAL_WAL_WRITER_H_
