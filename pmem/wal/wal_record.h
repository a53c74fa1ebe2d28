// The format of a log in the pool.
//
// A log is a chain of extents; each begins with the header that all extents have (its object is the
// log's number, its salt the log's salt, its position the extent's in the chain). Records follow,
// each at a multiple of the log's alignment:
//
//   0   sum       fixed32        CRC-32C of all that follows, begun with SumSeed(salt, offset)
//   4   size      varint32       bytes of payload << 4 | kind; at most four bytes
//   ..  payload
//   ..  zeros up to the next multiple of the alignment
//
// The sum proves that the record belongs to this offset of this log: the salt is random for every
// log, and the offset counts from the first byte of the chain. The alignment is a cache line (64)
// where every record is fenced, so that no line is written twice, and otherwise 8.
//
//   kind           payload
//   begin          the first record of every log, see WalStart:
//                    flags fixed8; first sequence fixed64; the predecessor's number fixed64, salt
//                    fixed64 and last sequence fixed64
//   whole          the caller's bytes
//   first, middle, last   the same in pieces
//   value extents  extents with values of the records that follow; for each of them
//                    offset fixed64, salt fixed64
//   next           offset fixed64 of the next extent, which continues the records
//   seal           last sequence fixed64: the log ends here, nothing is missing
//   shared         the caller's bytes, as in whole; but this record was begun while another
//                  writer's record before it might not have been fenced
//
// Records are fenced before the next one is begun, so a whole record after one that is not whole
// proves damage. The exception is that two writers may put records into a log concurrently. Each
// has its record fenced, and waits until all records before it are fenced, before it begins another
// one. So a crash may leave one shared record after the record that is not whole, but never two of
// them, and never a record of another kind.
//
// The last kWalTailRoom bytes of an extent can hold only a next or a seal record.
#ifndef BUSHSTORE_PMEM_WAL_WAL_RECORD_H_
#define BUSHSTORE_PMEM_WAL_WAL_RECORD_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"
#include "pmem/media/extents.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

enum class WalKind : uint8_t {
  kBegin = 1,
  kWhole = 2,
  kFirst = 3,
  kMiddle = 4,
  kLast = 5,
  kValueExtents = 6,
  kNext = 7,
  kSeal = 8,
  kShared = 9,
};
constexpr uint8_t kMaxWalKind = 9;

// The number of writers that may put records into a log at the same time.
constexpr size_t kWalWriters = 2;

constexpr size_t kWalLineAlignment = 64;
constexpr size_t kWalPackedAlignment = 8;
constexpr size_t kWalTailRoom = 64;
constexpr size_t kWalMaxHeaderSize = 8;

// The end of the log before this one.
struct WalPredecessor {
  uint64_t number = 0;  // 0: there is none
  uint64_t salt = 0;
  uint64_t last_sequence = 0;

  bool operator==(const WalPredecessor&) const = default;
};

// The contents of a log's first record.
struct WalStart {
  WalPredecessor predecessor;
  uint64_t first_sequence = 1;  // of the first write that may be in it

  // Records may stay unfenced for a while after they have been acknowledged.
  bool deferred = false;
  // The medium loses unsynced pages in any order when the power fails.
  bool unordered = false;

  size_t alignment() const { return deferred ? kWalPackedAlignment : kWalLineAlignment; }

  bool operator==(const WalStart&) const = default;
};

constexpr size_t kWalStartSize = 33;
void EncodeWalStart(const WalStart& start, char* to);
// Returns false for bytes that EncodeWalStart does not produce.
bool DecodeWalStart(const Slice& bytes, WalStart* start);

// An extent that holds values of a log, as the log names it.
struct WalValueExtent {
  PoolOffset pool_offset = kNoPoolOffset;
  uint64_t salt = 0;
};
constexpr size_t kWalValueExtentSize = 16;
// The most extents that one record names; it must fit into any new extent.
constexpr size_t kWalMaxExtentsNoted = 64;

// Returns the value that the sum of a record at `offset` of the log begins with.
inline uint32_t SumSeed(uint64_t salt, uint64_t offset) {
  return static_cast<uint32_t>(salt ^ (salt >> 32)) + static_cast<uint32_t>(offset) * 0x9e3779b1u;
}

// Returns the size of the header of a record with payload_size bytes of payload.
size_t WalHeaderSize(size_t payload_size);

// Writes the header of a record to `to`, which has room for kWalMaxHeaderSize bytes, and returns
// its size. SetWalSum fills in the sum.
size_t EncodeWalHeader(WalKind kind, size_t payload_size, char* to);

// Set the sum of a record of `size` bytes, or of one whose payload is elsewhere.
void SetWalSum(uint32_t seed, char* record, size_t size);
void SetWalSum(uint32_t seed, char* header, size_t header_size, const Slice& payload);

// A record that was found whole.
struct WalRecord {
  WalKind kind = WalKind::kWhole;
  Slice payload;    // in the pool
  size_t size = 0;  // of header and payload
};

// Parses a record at bytes[0, available). Returns false if there is none whose sum is right.
// *summed, if not null, is set to the number of bytes over which a sum was computed.
bool ParseWalRecord(const char* bytes, size_t available, uint32_t seed, WalRecord* record,
                    size_t* summed = nullptr);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_WAL_WAL_RECORD_H_
