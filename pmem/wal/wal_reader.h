// WalReader: reads the records of a log in the pool, exactly up to its end.
//
// A log ends with a seal or, as after a crash, before the first record that is not whole.
// Everything after the end is ignored, with one exception: where records are fenced in order, a
// whole record after one that is not whole may prove damage (wal_record.h), in the same extent and
// in the next one.
#ifndef BUSHSTORE_PMEM_WAL_WAL_READER_H_
#define BUSHSTORE_PMEM_WAL_WAL_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/media/extent_header.h"
#include "pmem/media/extents.h"
#include "pmem/media/pool.h"
#include "pmem/wal/wal_record.h"

namespace leveldb {

// A position between two records of a log.
struct WalPosition {
  size_t link = 0;  // index of the extent in the chain
  size_t used = 0;  // bytes of the extent before the position

  bool operator==(const WalPosition&) const = default;
};

// Used by one thread at a time. Bytes are trusted only if their sums are right.
class WalReader {
 public:
  // `pool` must outlive the reader.
  WalReader(const Pool& pool, const LogSlot& slot);
  WalReader(const WalReader&) = delete;
  WalReader& operator=(const WalReader&) = delete;

  // Reads the log's beginning. Corruption, naming log and offset, if that is not whole: it was
  // persistent before the root named the log.
  Status Open();

  // The contents of the log's first record. REQUIRES, here and below: Open() has returned OK.
  const WalStart& start() const { return start_; }
  uint64_t number() const { return slot_.number; }
  uint64_t salt() const { return slot_.salt; }

  // Reads the next record. Returns false at the end of the log, or on damage, with status() set.
  // *payload is valid until the next call, as long as *scratch, which may be used to hold it, is
  // not changed.
  bool ReadRecord(Slice* payload, std::string* scratch);

  // Makes the log end before the record that was read last, because what it refers to is not whole.
  // Corruption, with `why`, if a crash cannot have caused that. REQUIRES: ReadRecord has just
  // returned true.
  Status Reject(const Status& why);

  // Corruption if damage was found that a crash cannot explain.
  const Status& status() const { return status_; }

  // After the end: whether the log ends with a seal, and the sequence that the seal names.
  bool sealed() const { return sealed_; }
  uint64_t sealed_sequence() const { return sealed_sequence_; }

  // The position after the last record that is part of the log, as far as it has been read.
  const WalPosition& end() const { return end_; }

  // The log's own extents up to end(), in order.
  std::vector<PoolOffset> extents() const;
  // The extents that the log has named for its values so far; an extent may be named twice.
  const std::vector<PoolOffset>& value_extents() const { return value_extents_; }

  // "log #12 in pool /path", for messages.
  std::string Name() const;

 private:
  uint32_t SeedAt(const WalPosition& at) const {
    return SumSeed(slot_.salt, at.link * extent_size_ + at.used);
  }
  const char* BytesAt(const WalPosition& at) const { return pool_.At(chain_[at.link]) + at.used; }
  size_t Aligned(size_t n) const { return (n + alignment_ - 1) & ~(alignment_ - 1); }
  // Returns the last position in an extent at which a record may begin.
  size_t LastRecordAt() const { return extent_size_ - kWalTailRoom; }
  // Returns true if groups of records are fenced in order, as wal_record.h says, and the medium
  // keeps that order.
  bool IsFencedInOrder() const { return !start_.deferred && !start_.unordered; }
  ExtentHeader HeaderOf(size_t link) const;
  bool Parse(const WalPosition& at, WalRecord* record) const;
  bool AdoptValueExtents(const Slice& payload);
  bool GoOnIn(const Slice& payload);
  bool EndBefore(const WalPosition& torn, const WalPosition& behind);
  bool LaterRecordFollows(const WalPosition& from) const;
  bool ProvesDamage(const WalPosition& at, size_t limit, size_t* budget, size_t* shared_at) const;
  bool ExtentHasRecord(PoolOffset extent, size_t link) const;
  bool UnnamedExtentHasRecord(size_t link) const;
  bool ParseIn(PoolOffset extent, const WalPosition& at, size_t limit, size_t* budget,
               WalRecord* record) const;
  bool MoreFollows();
  Status DamageAt(const WalPosition& at, const std::string& what) const;

  const Pool& pool_;
  const LogSlot slot_;
  const size_t extent_size_;
  WalStart start_;
  size_t alignment_ = kWalLineAlignment;

  std::vector<PoolOffset> chain_;  // as far as it has been read, possibly beyond end_
  std::vector<PoolOffset> value_extents_;
  WalPosition at_;  // of the next record
  WalPosition end_;
  WalPosition last_record_;  // where the record that was read last begins
  bool last_is_shared_ = false;
  bool at_end_ = false;
  bool sealed_ = false;
  uint64_t sealed_sequence_ = 0;
  Status status_;
};

// Makes the end that a replay has found the log's final end, on the medium, before new writes are
// accepted: flushes the log up to there and writes a seal, if it has none. The caller must have
// flushed what the log's records refer to; it is synced with the log.
Status SealRecoveredWal(Pool* pool, const WalReader& reader, uint64_t last_sequence);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_WAL_WAL_READER_H_
