// LogReader: reads the records of a record file and continues after damage.
//
// There are two kinds of damage, and only what follows it distinguishes them:
//
//   * A crash leaves a tail: the last record is cut short, or the end of the file holds bytes that
//     were never written properly. Nothing valid comes after it. Files often end this way, so it is
//     not reported; tail() describes it.
//   * Damage with something valid after it is corruption. It is reported, once that is known, and
//     reading continues after it.
#ifndef BUSHSTORE_FILELOG_LOG_READER_H_
#define BUSHSTORE_FILELOG_LOG_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "filelog/damage_ledger.h"
#include "filelog/fragment_reader.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Needs exclusive access.
class LogReader {
 public:
  using Reporter = LogReporter;

  // How the file ends.
  enum class Tail {
    kComplete,    // with a whole record, or corruption that was reported; zeros may follow
    kTorn,        // with the beginning of a record
    kGarbage,     // with bytes that are not a record
    kUnreadable,  // unknown: reading failed, which was reported
  };

  // Reads `file` from its current position, which counts as offset 0. Neither is owned; both must
  // outlive the reader. `reporter` may be null. Without `checksum` checksums are not verified, and
  // most damage is treated as data.
  LogReader(SequentialFile* file, Reporter* reporter, bool checksum);

  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  // Reads the next record; returns false at the end. *record is valid until the next call and as
  // long as *scratch, which may be used to hold it, is not changed.
  bool ReadRecord(Slice* record, std::string* scratch);

  // Return where the record read last begins and ends; 0 before the first. More records may be
  // appended to a file that has a complete tail and is ValidEnd() bytes long.
  uint64_t LastRecordOffset() const { return last_record_offset_; }
  uint64_t ValidEnd() const { return valid_end_; }

  // Return how the file ends, what is wrong with a garbage tail (OK for others), and how many bytes
  // there are after ValidEnd(). REQUIRES: ReadRecord has returned false.
  Tail tail() const { return tail_; }
  Status tail_reason() const { return tail_reason_; }
  uint64_t TailBytes() const { return fragments_.bytes_read() - valid_end_; }

 private:
  bool NextFragment(Fragment* fragment);
  void NoteEnd();

  DamageLedger ledger_;
  FragmentReader fragments_;

  // The record being assembled: where it begins and how many bytes have been read.
  bool in_record_ = false;
  uint64_t record_offset_ = 0;
  size_t record_size_ = 0;

  uint64_t last_record_offset_ = 0;
  uint64_t valid_end_ = 0;
  bool at_end_ = false;
  Tail tail_ = Tail::kComplete;
  Status tail_reason_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_FILELOG_LOG_READER_H_
