// DirectoryEntries: the contents of the files in a plain database's directory, read by the
// documented formats alone, and what an open must make of them.
//
// The rule: the tables that the manifest names count, by sequence numbers. Then the logs that the
// manifest requires are applied in the order of their file numbers, record by record, whatever
// their sequence numbers; a record with the same bytes as an earlier one is applied once. LevelDB
// also goes by the sequence numbers of records; where they ascend, the two rules give the same
// result.

#ifndef BUSHSTORE_TESTING_MERGED_DIRECTORY_ENTRIES_H_
#define BUSHSTORE_TESTING_MERGED_DIRECTORY_ENTRIES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testing/contents.h"

namespace leveldb {
namespace testkit {

class DirectoryEntries {
 public:
  // The value of a key; absent if the key is deleted.
  using Value = std::optional<std::string>;

  // Reads all files.
  explicit DirectoryEntries(const std::string& path);

  // Returns why the result of an open cannot be predicted; empty if contents() is the prediction.
  const std::string& doubt() const { return doubt_; }
  // Returns whether an open must succeed: what the manifest names is present and sound.
  bool IsWhole() const { return doubt_.empty() && has_log_; }
  // Returns whether all sequence numbers ascend, so that LevelDB returns the same contents.
  bool IsInOrder() const { return is_in_order_; }
  // Returns whether there are tables that the manifest does not name, or logs that it does not
  // require.
  bool HasStrays() const { return has_strays_; }

  // Returns whether a log that the manifest does not require has a value for a key of which an open
  // finds no version, not even a deletion. Such a log must be set aside.
  bool HasUnappliedLog() const;

  Contents contents() const;

  // Returns whether a repair may return `value` for a key: it is in a log, or in a table and no
  // older than what an open returns. A repair that does not use the manifest cannot know more.
  bool MayBeShown(const std::string& key, const Value& value) const;

 private:
  struct Version {
    uint64_t sequence = 0;
    Value value;
  };
  using Versions = std::map<std::string, Version>;

  bool ReadManifest();
  bool ReadEdit(const std::string& edit);
  void ReadTables();
  bool ReadTable(const std::string& name, bool counts);
  void ReadLogs();
  void ReadLog(const std::string& name, bool counts);
  void Apply(const std::string& record, bool counts);
  void Doubt(const std::string& why);

  const std::string path_;
  std::string doubt_;
  uint64_t log_number_ = 0;
  uint64_t prev_log_number_ = 0;
  uint64_t last_sequence_ = 0;                // from the manifest, then of what was applied
  std::map<uint64_t, uint64_t> live_tables_;  // their sizes, by number
  bool has_log_ = false;
  bool is_in_order_ = true;
  bool has_strays_ = false;
  Versions shown_;  // what an open returns
  std::map<std::string, std::vector<Version>> in_tables_;
  std::map<std::string, std::vector<Value>> in_logs_;
  std::set<std::string> records_;           // those that were applied
  std::set<std::string> keys_of_old_logs_;  // keys that have a value in such a log
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_MERGED_DIRECTORY_ENTRIES_H_
