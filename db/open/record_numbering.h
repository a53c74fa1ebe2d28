// Decides which records of logs are applied, and under which sequence numbers: one rule for an open
// and a repair.
#ifndef BUSHSTORE_DB_OPEN_RECORD_NUMBERING_H_
#define BUSHSTORE_DB_OPEN_RECORD_NUMBERING_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Logs are read in the order of their file numbers.
//   * A record keeps its sequence numbers if they are above all that were used before.
//   * Otherwise, a record with the same bytes as an earlier one has no effect, as in a log that is
//     there twice, under two numbers.
//   * Any other record gets the next numbers that are free: the later log is newer, as with
//     LevelDB.
//
// Logs in order cost nothing: the records are indexed only after one of them has numbers that are
// not above those before, by reading the logs again up to there.
//
// Used by one thread.
class RecordNumbering {
 public:
  // Whether an index without the records that can't be read again will do.
  enum class ReadErrors { kFail, kPassOver };

  // Numbers up to `base` are used. `env` must outlive this object.
  RecordNumbering(Env* env, SequenceNumber base, ReadErrors read_errors);

  // The records that follow are of the log at `path`.
  void BeginLog(const std::string& path);

  // Takes the next record of the log. REQUIRES: every record that a LogReader returns is passed.
  //
  // Sets *applies to whether it is to be applied: not if it is empty or there twice. Sets *first to
  // the number of its first entry. Returns Corruption if the record is damaged or no numbers are
  // left for it; any other error means that the earlier records could not be read again.
  Status Number(const Slice& record, bool* applies, SequenceNumber* first);

  // The highest number used.
  SequenceNumber last() const { return last_; }

  // How many records of this log got other numbers because theirs were in logs before, and how many
  // were skipped because they are there twice.
  uint64_t renumbered() const { return renumbered_; }
  uint64_t skipped() const { return skipped_; }

 private:
  // What identifies a record: its first sequence number, its length and two hashes of its bytes.
  using Digest = std::tuple<SequenceNumber, size_t, uint32_t, uint32_t>;

  static Digest DigestOf(const Slice& record);
  Status ReadAgain(const std::string& path, uint64_t records);

  Env* env_;
  ReadErrors read_errors_;
  SequenceNumber last_;
  SequenceNumber last_found_ = 0;  // as it stands in the logs
  std::vector<std::string> logs_;  // the last one is being read
  uint64_t records_ = 0;           // of the log that is being read, without the current one
  bool has_index_ = false;
  std::set<Digest> index_;  // the records before the current one
  uint64_t renumbered_ = 0;
  uint64_t skipped_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_RECORD_NUMBERING_H_
