// A VersionEdit is the difference between two versions. This file defines its bytes in the
// manifest.
//
// One manifest record is one edit: a list of fields, each a varint32 tag and its payload.
//
//   1  comparator name      length-prefixed
//   2  log number           varint64
//   3  next file number     varint64
//   4  last sequence        varint64
//   5  compaction pointer   varint32 level, length-prefixed internal key
//   6  deleted file         varint32 level, varint64 number
//   7  new file             varint32 level, varint64 number, varint64 size,
//                           length-prefixed smallest and largest internal keys
//   9  previous log number  varint64
//
// The fields are written in the order 1, 2, 9, 3, 4, 5, 6, 7 and read in any order. Tag 8 is never
// written. A reader must refuse the whole edit if it has an unknown tag. A database with a tier in
// persistent memory has further fields, within a field of tag 1 (db/version/pmem_edit.h).

#ifndef BUSHSTORE_DB_VERSION_VERSION_EDIT_H_
#define BUSHSTORE_DB_VERSION_VERSION_EDIT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/version/pmem_edit.h"
#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class SliceReader;

// A plain value; not thread-safe.
class VersionEdit {
 public:
  struct CompactPointer {
    int level;
    InternalKey key;
  };
  struct DeletedFile {
    int level;
    uint64_t number;
  };
  struct NewFile {
    int level;
    uint64_t number;
    uint64_t size;
    InternalKey smallest;
    InternalKey largest;
  };

  void SetComparatorName(const Slice& name) { comparator_ = name.ToString(); }
  void SetLogNumber(uint64_t number) { log_number_ = number; }
  void SetPrevLogNumber(uint64_t number) { prev_log_number_ = number; }
  void SetNextFile(uint64_t number) { next_file_number_ = number; }
  void SetLastSequence(SequenceNumber sequence) { last_sequence_ = sequence; }

  // REQUIRES: 0 <= level < kNumLevels, for all that follow.
  void SetCompactPointer(int level, const InternalKey& key);
  void RemoveFile(int level, uint64_t number);
  void AddFile(int level, uint64_t number, uint64_t size, const InternalKey& smallest,
               const InternalKey& largest);

  const std::optional<std::string>& comparator() const { return comparator_; }
  const std::optional<uint64_t>& log_number() const { return log_number_; }
  const std::optional<uint64_t>& prev_log_number() const { return prev_log_number_; }
  const std::optional<uint64_t>& next_file_number() const { return next_file_number_; }
  const std::optional<SequenceNumber>& last_sequence() const { return last_sequence_; }
  const std::vector<CompactPointer>& compact_pointers() const { return compact_pointers_; }
  const std::vector<DeletedFile>& deleted_files() const { return deleted_files_; }
  const std::vector<NewFile>& new_files() const { return new_files_; }

  // The fields of the tier.
  PmemEdit& pmem() { return pmem_; }
  const PmemEdit& pmem() const { return pmem_; }

  void Clear() {
    const VersionEdit empty;
    *this = empty;
  }

  // Appends the encoded fields to *record.
  void EncodeTo(std::string* record) const;

  // Replaces the contents by the fields of `record`. A Corruption names the field that is damaged
  // or not known; the contents are then unspecified.
  Status DecodeFrom(const Slice& record);

  // Returns the fields as readable text, one per line.
  std::string DebugString() const;

 private:
  Status DecodeField(uint32_t tag, SliceReader* reader);

  std::optional<std::string> comparator_;
  std::optional<uint64_t> log_number_;
  std::optional<uint64_t> prev_log_number_;
  std::optional<uint64_t> next_file_number_;
  std::optional<SequenceNumber> last_sequence_;
  std::vector<CompactPointer> compact_pointers_;
  std::vector<DeletedFile> deleted_files_;
  std::vector<NewFile> new_files_;
  PmemEdit pmem_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_VERSION_EDIT_H_
