// Decides which records of logs are applied, and with which sequence numbers: the same rule for an
// open and a repair.
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
//   * A record keeps its sequence numbers if they are above all those used before.
//   * Otherwise, a record with the same bytes as an earlier one is not applied; so a log that
//     exists twice, with two numbers, is applied once.
//   * Any other record gets the next free numbers: the later log is newer, as with LevelDB.
//
// Logs in order cost nothing: records are indexed only after a record has numbers that are not
// above the previous ones, by reading the logs up to that point again.
//
// Used by one thread.
class RecordNumbering {
 public:
  // Whether records that cannot be read again are an error, or are left out of the index.
  enum class ReadErrors { kFail, kPassOver };

  // Numbers up to `base` are in use. `env` must outlive this object.
  RecordNumbering(Env* env, SequenceNumber base, ReadErrors read_errors);

  // Begins the log at `path`: the records that follow are from it.
  void BeginLog(const std::string& path);

  // Processes the next record of the log. REQUIRES: every record that a LogReader returns is
  // passed.
  //
  // Sets *applies to whether the record must be applied, which is false if it is empty or a
  // duplicate. Sets *first to the number of its first entry. Returns Corruption if the record is
  // damaged or no numbers are left for it; any other error means that the earlier records could not
  // be read again.
  Status Number(const Slice& record, bool* applies, SequenceNumber* first);

  // Returns the highest number used.
  SequenceNumber last() const { return last_; }

  // Returns how many records of this log were renumbered because their numbers occurred in earlier
  // logs, and how many were skipped as duplicates.
  uint64_t renumbered() const { return renumbered_; }
  uint64_t skipped() const { return skipped_; }

 private:
  // Identifies a record: its first sequence number, its length and two hashes of its bytes.
  using Digest = std::tuple<SequenceNumber, size_t, uint32_t, uint32_t>;

  static Digest DigestOf(const Slice& record);
  Status ReadAgain(const std::string& path, uint64_t records);

  Env* env_;
  ReadErrors read_errors_;
  SequenceNumber last_;
  SequenceNumber last_found_ = 0;  // as stored in the logs
  std::vector<std::string> logs_;  // the last one is being read
  uint64_t records_ = 0;           // of the log that is being read, without the current one
  bool has_index_ = false;
  std::set<Digest> index_;  // the records before the current one
  uint64_t renumbered_ = 0;
  uint64_t skipped_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_RECORD_NUMBERING_H_
