// PoolRoot: BushStore's own data in the pool: its owner, its slabs and its logs.
//
// They are in libpmemobj's root object, at its first multiple of 64. All numbers are little-endian
// and all offsets count from the start of the pool. The size is 9,792 bytes: from about 10 KiB on,
// libpmemobj would use a mebibyte for it.
//
//   identity, written once at creation
//      0  magic         8 bytes   "BushPool"
//      8  version       fixed32   2
//     12  owner length  fixed32   0 .. 1472
//     16  pool id       16 bytes
//     32  extent size   fixed64   a power of two, 64 KiB .. 4 MiB
//     40  here          fixed64   the pool offset of this root
//     48  zeros         12 bytes
//     60  sum           fixed32   CRC-32C of bytes 0 .. 59 and of the owner
//     64  owner         1472 bytes, the rest zeros: the path of the database
//   words, each written in one piece: a number in the low 32 bits, above it the CRC-32C of the pool
//   id, the number and the word's offset; lengths are whole units of 64 KiB
//   1536  epoch         raised whenever a database opens the pool
//   1544  clean epoch   equal to the epoch if that opening ended with an orderly close
//   1552  bytes         the least total length of the pool's files
//   1560  ceiling       the length up to which a pool may grow
//   1568  zeros         32 bytes
//   slabs, 128 entries of 32 bytes, used from the first
//   1600  object id     16 bytes   libpmemobj's: pool number, offset; written by libpmemobj when it
//                                  has allocated the slab, zeros until then
//     16  length        fixed64    bytes; written before the allocation
//     24  sum           fixed32    CRC-32C of pool id, index and length; likewise
//     28  seal          fixed32    CRC-32C of pool id, index and bytes 0 .. 23; written after the
//                                  allocation: until then only libpmemobj knows
//   logs, 64 slots of one cache line each, used in any order; all zeros: free
//   5696  number        fixed64    the log's file number, not 0
//      8  first         fixed64    the pool offset of its first extent
//     16  salt          fixed64
//     24  zeros         36 bytes
//     60  sum           fixed32    CRC-32C of the pool id, the slot's index and bytes 0 .. 59
//   9792  end
//
// Version 1 differs only in its words: a number of 48 bits, lengths in bytes, and the low 16 bits
// of the sum. A root keeps the version that it was created with.
//
// A slot is written in one operation and is valid only if its sum is right: a slot that a power
// failure tears is not a log. A log is removed by setting its number to 0, which makes the sum
// wrong.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_ROOT_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_ROOT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/persist.h"
#include "pmem/media/pool_offset.h"
#include "port/mutex.h"
#include "util/round.h"

namespace leveldb {

// A log in the pool, as the root names it.
struct LogSlot {
  uint64_t number = 0;  // its file number
  PoolOffset first = kNoPoolOffset;
  uint64_t salt = 0;

  friend bool operator==(const LogSlot& a, const LogSlot& b) = default;
};

// The part of the root that is written once, when the pool is created.
struct PoolIdentity {
  static constexpr uint32_t kNewestVersion = 2;
  uint32_t version = kNewestVersion;
  PoolId id;
  std::string owner;
  uint64_t extent_size = 0;
  PoolOffset here = kNoPoolOffset;
};

// Thread-safe.
class PoolRoot {
 public:
  static constexpr size_t kBytes = 9792;
  static constexpr char kMagic[] = "BushPool";
  static constexpr size_t kMagicBytes = 8;
  static constexpr size_t kOwnerBytesMax = 1472;
  static constexpr size_t kSlabsMax = 128;
  static constexpr size_t kLogsMax = 64;

  // Checks that bytes[0, kBytes) hold a root, and reads its identity. `name` is the pool's, for
  // messages.
  static Status ReadIdentity(const char* bytes, const std::string& name, PoolIdentity* identity);

  // A view of the root at `bytes`, in the mapped pool or in a copy of it. `persist` may be null if
  // the root will not be written. REQUIRES: ReadIdentity has returned OK, or Format is called next.
  PoolRoot(char* bytes, const PoolIdentity& identity, const std::string& name, Persist* persist);

  PoolRoot(const PoolRoot&) = delete;
  PoolRoot& operator=(const PoolRoot&) = delete;

  // Writes a new root: no slabs, no logs, epoch 0, length 0. Everything else is persistent before
  // the identity is written, and all of it on return.
  Status Format(uint64_t ceiling);

  const PoolIdentity& identity() const { return identity_; }

  // The words. The readers return Corruption, naming the pool, if a word's sum is wrong. The
  // setters have synced the new value when they return; NotSupported if it does not fit. Lengths
  // are in bytes, and rounded down to whole units.
  Status ReadEpoch(uint64_t* epoch) const { return ReadWord(kEpoch, epoch); }
  Status SetEpoch(uint64_t epoch) { return SetWord(kEpoch, epoch); }
  Status ReadCleanEpoch(uint64_t* epoch) const { return ReadWord(kCleanEpoch, epoch); }
  Status SetCleanEpoch(uint64_t epoch) { return SetWord(kCleanEpoch, epoch); }
  Status ReadBytes(uint64_t* bytes) const { return ReadWord(kLength, bytes); }
  Status SetBytes(uint64_t bytes) { return SetWord(kLength, bytes); }
  Status ReadCeiling(uint64_t* ceiling) const { return ReadWord(kCeiling, ceiling); }
  Status SetCeiling(uint64_t ceiling) { return SetWord(kCeiling, ceiling); }
  // Returns the value that is read after a length has been set.
  uint64_t AsNoted(uint64_t length) const { return RoundDown(length, LengthUnit()); }

  // The slab entries. Pool fills them in, because libpmemobj writes into them.
  struct SlabEntry {
    uint64_t pool_number = 0;
    PoolOffset begin = kNoPoolOffset;
    uint64_t length = 0;
    bool sealed = false;  // otherwise pool_number and begin are unproven
  };
  // Reads the entries in use, in order. Corruption if the length of one is damaged, or one is
  // missing.
  Status ReadSlabs(std::vector<SlabEntry>* slabs) const;
  // Writes the length of slab `index`, synced. The allocation into SlabObject(index) completes the
  // entry.
  Status PrepareSlab(size_t index, uint64_t length);
  // Records that the allocation is complete.
  Status SealSlab(size_t index);
  // Returns the address at which libpmemobj must store the object id of slab `index`.
  void* SlabObject(size_t index);

  // Makes the log known. It stays known after a power failure, on every medium. Returns IOError if
  // all slots are taken, InvalidArgument if the number is 0 or taken.
  Status AddLog(const LogSlot& log);
  // Removes the log, fenced on return; where that does not make it durable, a power failure may
  // bring the log back. Returns NotFound if no log has the number.
  Status RemoveLog(uint64_t number);
  // Returns the logs, ordered by number.
  std::vector<LogSlot> Logs() const;

 private:
  struct Word;
  static const Word kEpoch;
  static const Word kCleanEpoch;
  static const Word kLength;
  static const Word kCeiling;

  // The properties of this root's version.
  int NumberBits() const { return identity_.version == 1 ? 48 : 32; }
  uint64_t NumberMask() const { return (uint64_t{1} << NumberBits()) - 1; }
  uint64_t LengthUnit() const { return identity_.version == 1 ? 1 : 64 << 10; }

  // Makes a slot of a log free; fenced on return.
  void Forget(size_t slot);

  Status ReadWord(const Word& word, uint64_t* value) const;
  Status SetWord(const Word& word, uint64_t value);
  uint64_t SealedWord(size_t offset, uint64_t number) const;
  Status CheckNoSlabsBehind(size_t index) const;
  uint32_t SumOfSlab(size_t index, size_t begin, size_t end) const;
  bool DecodeSlot(size_t index, LogSlot* log) const;

  char* const bytes_;
  const PoolIdentity identity_;
  const std::string name_;
  Persist* const persist_;
  mutable Mutex mutex_;  // one change of the log slots at a time
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_ROOT_H_
