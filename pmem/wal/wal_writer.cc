#include "pmem/wal/wal_writer.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "pmem/media/extent_header.h"
#include "util/coding.h"
#include "util/text.h"

namespace leveldb {

namespace {

// No piece of a record is put into less room than this.
constexpr size_t kMinPieceRoom = 16;

}  // namespace

Status WalWriter::Create(Pool* pool, Extents* extents, PendingStores* stores, uint64_t number,
                         WalStart start, WalWriter* previous, std::shared_ptr<HeldExtents> held,
                         std::unique_ptr<WalWriter>* writer) {
  if (pool->root()->Logs().size() >= PoolRoot::kLogsMax) {
    return Status::IOError(pool->path(), "has no slot left for log #" + NumberToString(number) +
                                             ": the logs there are wait for a flush");
  }
  PoolOffset first;
  Status status = extents->Reserve(1, &first);
  if (!status.ok()) return status;
  held->Adopt(first);
  if (previous != nullptr) previous->Seal(start.predecessor.last_sequence);

  start.deferred = stores->deferred();
  start.unordered = pool->medium() == MediumKind::kPageCache;
  std::unique_ptr<WalWriter> log(
      new WalWriter(pool, extents, stores, number, start.alignment(), std::move(held)));
  log->StartExtent(first);
  char bytes[kWalStartSize];
  EncodeWalStart(start, bytes);
  log->Put(WalKind::kBegin, Slice(bytes, sizeof(bytes)));
  // Whatever the medium may lose later, the root must not name a log without a beginning, nor one
  // whose predecessor has lost its end.
  stores->Flush();
  status = pool->persist()->Sync();
  if (!status.ok()) return status;
  *writer = std::move(log);
  return pool->root()->AddLog({number, first, (*writer)->salt()});
}

WalWriter::WalWriter(Pool* pool, Extents* extents, PendingStores* stores, uint64_t number,
                     size_t alignment, std::shared_ptr<HeldExtents> held)
    : pool_(pool),
      extents_(extents),
      stores_(stores),
      number_(number),
      salt_(RandomSalt()),
      alignment_(alignment),
      extent_size_(extents->extent_size()),
      held_(std::move(held)) {}

void WalWriter::KeepTailIn(WalTail* tail) {
  *tail = *tail_;
  tail_ = tail;
}

// Makes `extent` the one that is written. Its header must be fenced by this thread, even if another
// thread flushes the records later.
void WalWriter::StartExtent(PoolOffset extent) {
  WriteExtentHeader(pool_, extent,
                    {.kind = ExtentKind::kLog,
                     .object = number_,
                     .salt = salt_,
                     .position = static_cast<uint32_t>(tail_->position)});
  pool_->persist()->Fence();
  tail_->extent = extent;
  tail_->used = ExtentHeader::kSize;
  written_bytes_ += ExtentHeader::kSize;
}

void WalWriter::GoOnIn(PoolOffset extent) {
  char bytes[sizeof(uint64_t)];
  StoreFixed64(bytes, extent);
  Put(WalKind::kNext, Slice(bytes, sizeof(bytes)));
  tail_->position++;
  StartExtent(extent);
  held_->Adopt(extent);
}

// Takes the space after the last record. REQUIRES: there is room.
WalWriter::Reservation WalWriter::Take(size_t payload_size) {
  Reservation reservation;
  reservation.to = pool_->At(tail_->extent) + tail_->used;
  reservation.seed = SumSeed(salt_, tail_->position * extent_size_ + tail_->used);
  reservation.size = Aligned(WalHeaderSize(payload_size) + payload_size);
  tail_->used += reservation.size;
  assert(tail_->used <= extent_size_);
  return reservation;
}

bool WalWriter::Reserve(size_t payload_size, Reservation* reservation) {
  assert(!sealed_);
  if (WalHeaderSize(payload_size) + payload_size > Room()) return false;
  *reservation = Take(payload_size);
  return true;
}

// Stores a record that is staged, followed by zeros, so that lines are stored whole.
void WalWriter::StoreStaged(const Reservation& reservation, char* staged, size_t size) {
  assert(Aligned(size) == reservation.size);
  SetWalSum(reservation.seed, staged, size);
  memset(staged + size, 0, reservation.size - size);
  stores_->Store(reservation.to, staged, reservation.size);
}

void WalWriter::Fill(const Reservation& reservation, WalKind kind, const Slice& payload) {
  alignas(kWalLineAlignment) char staged[kStagedBytes];
  const size_t header_size = EncodeWalHeader(kind, payload.size(), staged);
  const size_t size = header_size + payload.size();
  const size_t head = std::min(size, kStagedBytes);
  memcpy(staged + header_size, payload.data(), head - header_size);
  if (size == head) {
    StoreStaged(reservation, staged, size);
    return;
  }
  // Only the head of a longer record, and what does not fill a line at its end, are staged.
  assert(Aligned(size) == reservation.size);
  SetWalSum(reservation.seed, staged, header_size, payload);
  char* const to = reservation.to;
  stores_->Store(to, staged, head);
  const size_t body = (size - head) & ~(kWalLineAlignment - 1);
  stores_->Store(to + head, payload.data() + (head - header_size), body);
  const size_t done = head + body;
  const size_t rest = reservation.size - done;
  memcpy(staged, payload.data() + (done - header_size), size - done);
  memset(staged + (size - done), 0, reservation.size - size);
  if (rest > 0) stores_->Store(to + done, staged, rest);
}

void WalWriter::Put(WalKind kind, const Slice& payload) {
  const Reservation reservation = Take(payload.size());
  Fill(reservation, kind, payload);
  written_bytes_ += reservation.size;
}

Status WalWriter::Append(const Slice& payload) {
  assert(!sealed_);
  assert(!payload.empty());
  if (PieceThatFits(Room(), payload.size()) < payload.size()) return AppendInPieces(payload);
  Put(WalKind::kWhole, payload);
  return Status::OK();
}

// Returns how much of a payload a record in `room` bytes can hold: all of it, or what fills the
// room.
size_t WalWriter::PieceThatFits(size_t room, size_t payload_size) const {
  if (WalHeaderSize(payload_size) + payload_size <= room) return payload_size;
  return room < kMinPieceRoom ? 0 : room - kWalMaxHeaderSize;
}

// Reserves the extents in which AppendInPieces will continue.
Status WalWriter::ReserveForPieces(size_t payload_size, std::vector<PoolOffset>* fresh) {
  size_t room = Room();
  while (true) {
    payload_size -= PieceThatFits(room, payload_size);
    if (payload_size == 0) return Status::OK();
    PoolOffset extent;
    const Status status = extents_->Reserve(1, &extent);
    if (!status.ok()) {
      for (const PoolOffset taken : *fresh) extents_->Release(taken);
      return status;
    }
    fresh->push_back(extent);
    room = extent_size_ - ExtentHeader::kSize - kWalTailRoom;
  }
}

Status WalWriter::AppendInPieces(const Slice& payload) {
  std::vector<PoolOffset> fresh;
  const Status status = ReserveForPieces(payload.size(), &fresh);
  if (!status.ok()) return status;
  Slice rest = payload;
  for (auto next = fresh.begin(); !rest.empty();) {
    const size_t size = PieceThatFits(Room(), rest.size());
    if (size > 0) {
      const bool is_first = rest.size() == payload.size();
      const bool is_last = size == rest.size();
      Put(is_first ? (is_last ? WalKind::kWhole : WalKind::kFirst)
                   : (is_last ? WalKind::kLast : WalKind::kMiddle),
          Slice(rest.data(), size));
      rest.remove_prefix(size);
    }
    if (!rest.empty()) GoOnIn(*next++);
  }
  return status;
}

Status WalWriter::NoteValueExtents(const std::vector<PoolOffset>& pool_offsets) {
  char bytes[kWalMaxExtentsNoted * kWalValueExtentSize];
  for (size_t from = 0; from < pool_offsets.size();) {
    const size_t count = std::min(pool_offsets.size() - from, kWalMaxExtentsNoted);
    const size_t size = count * kWalValueExtentSize;
    if (PieceThatFits(Room(), size) < size) {
      PoolOffset extent;
      const Status status = extents_->Reserve(1, &extent);
      if (!status.ok()) return status;
      GoOnIn(extent);
    }
    for (size_t i = 0; i < count; i++) {
      ExtentHeader header;
      const Status status = ReadExtentHeader(*pool_, pool_offsets[from + i], &header);
      if (!status.ok()) return status;
      char* const to = bytes + i * kWalValueExtentSize;
      StoreFixed64(to, pool_offsets[from + i]);
      StoreFixed64(to + 8, header.salt);
    }
    Put(WalKind::kValueExtents, Slice(bytes, size));
    from += count;
    // Each record is fenced before the next one: of two that are not fenced, the first alone may be
    // lost.
    stores_->Flush();
    pool_->persist()->Fence();
  }
  return Status::OK();
}

void WalWriter::Seal(uint64_t last_sequence) {
  if (sealed_) return;
  stores_->Flush();
  pool_->persist()->Fence();
  char bytes[sizeof(uint64_t)];
  StoreFixed64(bytes, last_sequence);
  Put(WalKind::kSeal, Slice(bytes, sizeof(bytes)));
  stores_->Flush();
  pool_->persist()->Fence();
  sealed_ = true;
}

}  // namespace leveldb
