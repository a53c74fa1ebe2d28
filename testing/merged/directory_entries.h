// DirectoryEntries: what is in the files of a plain database's directory, read from the formats
// alone, and what an open has to make of it.
//
// The rule: the tables that the manifest names count, by sequence numbers. Then the logs that it
// asks for are applied in the order of their file numbers, record by record, whatever their
// sequence numbers; a record with the same bytes as an earlier one is applied once. LevelDB goes by
// the sequence numbers of records as well; where they ascend, the two are the same.

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
  // Of a key; without a value it is deleted.
  using Value = std::optional<std::string>;

  // Reads it all.
  explicit DirectoryEntries(const std::string& path);

  // Why nothing can be said of what an open shows; empty: contents() tells.
  const std::string& doubt() const { return doubt_; }
  // Whether an open has to succeed: what the manifest names is there and sound.
  bool IsWhole() const { return doubt_.empty() && has_log_; }
  // Whether all sequence numbers ascend, so that LevelDB shows the same.
  bool IsInOrder() const { return is_in_order_; }
  // Whether there are tables that the manifest does not name, or logs that it does not ask for.
  bool HasStrays() const { return has_strays_; }

  // Whether a log that the manifest does not ask for has a value for a key of which an open knows
  // nothing: that log must be set aside.
  bool HasUnappliedLog() const;

  Contents contents() const;

  // Whether a repair may show `value` for a key: it is in a log, or in a table and no older than
  // what an open shows. A repair that does not believe the manifest cannot know more.
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
  uint64_t last_sequence_ = 0;                // as the manifest says, then of what was applied
  std::map<uint64_t, uint64_t> live_tables_;  // their sizes, by number
  bool has_log_ = false;
  bool is_in_order_ = true;
  bool has_strays_ = false;
  Versions shown_;  // by an open
  std::map<std::string, std::vector<Version>> in_tables_;
  std::map<std::string, std::vector<Value>> in_logs_;
  std::set<std::string> records_;           // that were applied
  std::set<std::string> keys_of_old_logs_;  // which have a value there
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_MERGED_DIRECTORY_ENTRIES_H_
