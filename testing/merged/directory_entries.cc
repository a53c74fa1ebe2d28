#include "testing/merged/directory_entries.h"

#include <algorithm>
#include <memory>

#include "entry/batch_cursor.h"
#include "entry/internal_key.h"
#include "leveldb/env.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/table.h"
#include "testing/record_file.h"
#include "testing/temp_dir.h"
#include "util/coding.h"

namespace leveldb {
namespace testkit {

namespace {

// Parses the numbers and texts of a manifest edit.
class EditBytes {
 public:
  explicit EditBytes(const std::string& bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool AtEnd() const { return at_ == end_; }
  bool Number(uint64_t* number) {
    const char* const after = LoadVarint64(at_, end_, number);
    at_ = after == nullptr ? end_ : after;
    return after != nullptr;
  }
  bool Text() {
    uint64_t size = 0;
    if (!Number(&size) || size > static_cast<uint64_t>(end_ - at_)) return false;
    at_ += size;
    return true;
  }

 private:
  const char* at_;
  const char* const end_;
};

}  // namespace

DirectoryEntries::DirectoryEntries(const std::string& path) : path_(path) {
  if (!ReadManifest()) Doubt("there is no manifest");
  ReadTables();
  ReadLogs();
}

void DirectoryEntries::Doubt(const std::string& why) {
  if (doubt_.empty()) doubt_ = why;
}

bool DirectoryEntries::ReadManifest() {
  std::string name;
  std::string bytes;
  if (!TryReadFile(path_ + "/CURRENT", &name) || name.empty()) return false;
  name.pop_back();
  if (!TryReadFile(path_ + "/" + name, &bytes)) return false;
  const std::vector<std::string> edits = ReadRecords(path_ + "/" + name);
  return std::all_of(edits.begin(), edits.end(),
                     [this](const std::string& edit) { return ReadEdit(edit); });
}

bool DirectoryEntries::ReadEdit(const std::string& edit) {
  EditBytes bytes(edit);
  uint64_t tag = 0;
  uint64_t level = 0;
  uint64_t number = 0;
  uint64_t size = 0;
  bool is_known = true;
  while (is_known && !bytes.AtEnd()) {
    is_known = bytes.Number(&tag);
    switch (tag) {
      case 1:  // the comparator
        is_known = bytes.Text();
        break;
      case 2:
        is_known = bytes.Number(&log_number_);
        break;
      case 3:  // the next file number
        is_known = bytes.Number(&number);
        break;
      case 4:
        is_known = bytes.Number(&last_sequence_);
        break;
      case 5:  // where the next compaction begins
        is_known = bytes.Number(&level) && bytes.Text();
        break;
      case 6:
        is_known = bytes.Number(&level) && bytes.Number(&number);
        live_tables_.erase(number);
        break;
      case 7:
        is_known = bytes.Number(&level) && bytes.Number(&number) && bytes.Number(&size) &&
                   bytes.Text() && bytes.Text();
        live_tables_[number] = size;
        break;
      case 9:
        is_known = bytes.Number(&prev_log_number_);
        break;
      default:
        is_known = false;
    }
  }
  return is_known;
}

void DirectoryEntries::ReadTables() {
  size_t found = 0;
  for (const std::string& name : FileNamesEnding(path_, ".ldb")) {
    const auto live = live_tables_.find(std::stoull(name));
    has_strays_ = has_strays_ || live == live_tables_.end();
    const bool counts = live != live_tables_.end();
    const bool is_sound = ReadTable(name, counts);
    if (!counts) continue;
    ++found;
    const bool has_size = ReadFile(path_ + "/" + name).size() == live->second;
    if (!has_size || !is_sound) Doubt(name + " is another table or damaged");
  }
  if (found < live_tables_.size()) Doubt("tables are missing");
  for (const auto& [key, version] : shown_) {
    if (version.sequence > last_sequence_) Doubt("a table is newer than the manifest");
  }
}

bool DirectoryEntries::ReadTable(const std::string& name, bool counts) {
  uint64_t size = 0;
  RandomAccessFile* opened = nullptr;
  Env* const env = Env::Default();
  if (!env->GetFileSize(path_ + "/" + name, &size).ok()) return false;
  if (!env->NewRandomAccessFile(path_ + "/" + name, &opened).ok()) return false;
  const std::unique_ptr<RandomAccessFile> file(opened);
  Table* table = nullptr;
  if (!Table::Open(Options(), file.get(), size, &table).ok()) return false;
  const std::unique_ptr<Table> owned(table);
  ReadOptions verified;
  verified.verify_checksums = true;
  // No key is searched for, so the comparator does not matter.
  const std::unique_ptr<Iterator> entries(table->NewIterator(verified));
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    ParsedKey key;
    if (!ParseTableKey(entries->key(), &key)) return false;
    Version version;
    version.sequence = key.sequence;
    if (key.type == kTypeValue) version.value = entries->value().ToString();
    const std::string user_key = key.user_key.ToString();
    in_tables_[user_key].push_back(version);
    if (counts && version.sequence >= shown_[user_key].sequence) shown_[user_key] = version;
  }
  return entries->status().ok();
}

void DirectoryEntries::ReadLogs() {
  std::map<uint64_t, std::string> logs;
  for (const std::string& name : FileNamesEnding(path_, ".log")) logs[std::stoull(name)] = name;
  for (const auto& [number, name] : logs) {
    const bool counts = number >= log_number_ || number == prev_log_number_;
    has_log_ = has_log_ || number == log_number_;
    has_strays_ = has_strays_ || !counts;
    ReadLog(name, counts);
  }
}

void DirectoryEntries::ReadLog(const std::string& name, bool counts) {
  for (const std::string& record : ReadRecords(path_ + "/" + name)) Apply(record, counts);
}

void DirectoryEntries::Apply(const std::string& record, bool counts) {
  const uint64_t first = BatchSequence(record);
  const bool applies = counts && records_.insert(record).second;
  if (counts) is_in_order_ = is_in_order_ && first > last_sequence_;
  if (applies) last_sequence_ = std::max(last_sequence_, first + BatchCount(record) - 1);
  for (BatchCursor cursor{Slice(record)}; cursor.Next();) {
    const std::string key = cursor.key().ToString();
    const Value value =
        cursor.type() == kTypeValue ? Value(cursor.value().ToString()) : std::nullopt;
    in_logs_[key].push_back(value);
    if (applies) shown_[key].value = value;
    if (!counts && value.has_value()) keys_of_old_logs_.insert(key);
    if (!counts && !value.has_value()) keys_of_old_logs_.erase(key);
  }
}

bool DirectoryEntries::HasUnappliedLog() const {
  return std::any_of(keys_of_old_logs_.begin(), keys_of_old_logs_.end(),
                     [this](const std::string& key) { return shown_.count(key) == 0; });
}

Contents DirectoryEntries::contents() const {
  Contents contents;
  for (const auto& [key, version] : shown_) {
    if (version.value.has_value()) contents.emplace_back(key, *version.value);
  }
  return contents;
}

bool DirectoryEntries::MayBeShown(const std::string& key, const Value& value) const {
  const auto shown = shown_.find(key);
  const bool is_shown = shown != shown_.end();
  if (value == (is_shown ? shown->second.value : std::nullopt)) return true;
  const auto in_logs = in_logs_.find(key);
  if (in_logs != in_logs_.end() &&
      std::find(in_logs->second.begin(), in_logs->second.end(), value) != in_logs->second.end()) {
    return true;
  }
  const auto in_tables = in_tables_.find(key);
  if (in_tables == in_tables_.end()) return false;
  const uint64_t oldest = is_shown ? shown->second.sequence : 0;
  return std::any_of(
      in_tables->second.begin(), in_tables->second.end(),
      [&](const Version& version) { return version.value == value && version.sequence >= oldest; });
}

}  // namespace testkit
}  // namespace leveldb
