// The bytes of a log in the pool.
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
// The sum proves that the record belongs to this very place of this very log: the salt is random
// for every log, and the offset counts from the first byte of the chain. The alignment is a cache
// line (64) where every record is fenced, so that no line is written twice, and otherwise 8.
//
//   kind           payload
//   begin          the first record of every log, see WalStart:
//                    flags fixed8; first sequence fixed64; the predecessor's number fixed64, salt
//                    fixed64 and last sequence fixed64
//   whole          the caller's bytes
//   first, middle, last   the same in pieces
//   value extents  extents that values of the records behind it lie in: for each of them
//                    place fixed64, salt fixed64
//   next           place fixed64 of the next extent, which goes on with the records
//   seal           last sequence fixed64: the log ends here, nothing is missing
//   shared         the caller's bytes, as in whole; but the writer had begun this record while
//                  another one's before it might not have been fenced
//
// Records are fenced before the next one is begun, and then one that is whole behind one that is
// not proves damage; but two writers may put records into a log side by side. Each has its record
// fenced, and waits until that is true of all records before it, before it begins another one. So a
// crash may leave one shared behind the record that is not whole. Two of them, or a record of
// another kind, it cannot leave.
//
// The last kWalTailRoom bytes of an extent's room hold nothing but a next or a seal record.
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

// How many writers may put records into a log at the same time.
constexpr size_t kWalWriters = 2;

constexpr size_t kWalLineAlignment = 64;
constexpr size_t kWalPackedAlignment = 8;
constexpr size_t kWalTailRoom = 64;
constexpr size_t kWalMaxHeaderSize = 8;

// Where the log before this one ended.
struct WalPredecessor {
  uint64_t number = 0;  // 0: there is none
  uint64_t salt = 0;
  uint64_t last_sequence = 0;

  bool operator==(const WalPredecessor&) const = default;
};

// What a log says of itself in its first record.
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
// False for bytes that EncodeWalStart does not make.
bool DecodeWalStart(const Slice& bytes, WalStart* start);

// An extent that values of a log lie in, as the log names it.
struct WalValueExtent {
  PoolOffset pool_offset = kNoPoolOffset;
  uint64_t salt = 0;
};
constexpr size_t kWalValueExtentSize = 16;
// One record names so many extents at most; it must fit into any fresh extent.
constexpr size_t kWalMaxExtentsNoted = 64;

// What the sum of a record at `offset` of the log begins with.
inline uint32_t SumSeed(uint64_t salt, uint64_t offset) {
  return static_cast<uint32_t>(salt ^ (salt >> 32)) + static_cast<uint32_t>(offset) * 0x9e3779b1u;
}

// The size of the header of a record with so much payload.
size_t WalHeaderSize(size_t payload_size);

// Writes the header of a record to `to`, which has room for kWalMaxHeaderSize bytes, and returns
// its size. The sum is left out until SetWalSum.
size_t EncodeWalHeader(WalKind kind, size_t payload_size, char* to);

// Sets the sum of a record of so many bytes, or of one whose payload is elsewhere.
void SetWalSum(uint32_t seed, char* record, size_t size);
void SetWalSum(uint32_t seed, char* header, size_t header_size, const Slice& payload);

// A record that was found whole.
struct WalRecord {
  WalKind kind = WalKind::kWhole;
  Slice payload;    // in the pool
  size_t size = 0;  // of header and payload
};

// Looks at bytes[0, available) for a record. False if there is none whose sum is right. *summed, if
// not null, is set to the number of bytes that it took to find out.
bool ParseWalRecord(const char* bytes, size_t available, uint32_t seed, WalRecord* record,
                    size_t* summed = nullptr);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_WAL_WAL_RECORD_H_
