#include "tools/stored_order.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "db/files/filename.h"
#include "db/open/table_scan.h"
#include "db/version/manifest_reader.h"
#include "db/version/version_edit.h"
#include "entry/batch_cursor.h"
#include "entry/internal_key.h"
#include "filelog/log_reader.h"

namespace leveldb {

namespace {

using Take = std::function<bool(const StoredEntry&)>;

// Keeps the first damage of a log or manifest.
class FirstReport final : public LogReader::Reporter {
 public:
  void Corruption(size_t, const Status& reason) override {
    if (status_.ok()) status_ = reason;
  }
  const Status& status() const { return status_; }

 private:
  Status status_;
};

Status InFile(const std::string& path, const Status& status) {
  if (status.IsCorruption()) return Status::Corruption(path, status.ToString());
  return status;
}

// Calls use(record) for each record, until it returns an error.
template <typename Use>
Status ReadRecords(Env* env, const std::string& path, const Use& use) {
  SequentialFile* opened = nullptr;
  Status status = env->NewSequentialFile(path, &opened);
  if (!status.ok()) return status;
  const std::unique_ptr<SequentialFile> file(opened);
  FirstReport report;
  LogReader reader(file.get(), &report, /*checksum=*/true);
  Slice record;
  std::string scratch;
  while (status.ok() && report.status().ok() && reader.ReadRecord(&record, &scratch)) {
    status = use(record);
  }
  if (status.ok()) status = report.status();
  return InFile(path, status);
}

// The state at the end of the manifest.
struct Files {
  std::string comparator;
  std::set<uint64_t> tables;
  uint64_t log_number = 0;
  uint64_t prev_log_number = 0;
  bool has_pool = false;
};

Status ReadFiles(Env* env, const std::string& dbname, Files* files) {
  std::string name;
  uint64_t number;
  const Status current = ReadCurrentFile(env, dbname, &name, &number);
  if (!current.ok()) return current;
  return ReadRecords(env, dbname + "/" + name, [files](const Slice& record) {
    VersionEdit edit;
    const Status status = edit.DecodeFrom(record);
    if (!status.ok()) return status;
    if (edit.comparator().has_value()) files->comparator = *edit.comparator();
    files->log_number = edit.log_number().value_or(files->log_number);
    files->prev_log_number = edit.prev_log_number().value_or(files->prev_log_number);
    for (const VersionEdit::DeletedFile& file : edit.deleted_files()) {
      files->tables.erase(file.number);
    }
    for (const VersionEdit::NewFile& file : edit.new_files()) files->tables.insert(file.number);
    files->has_pool |= edit.pmem().tier().has_value();
    return status;
  });
}

class TableEntries final : public TableScanHandler {
 public:
  TableEntries(const std::string& file, const Take& take) : take_(take) { entry_.file = file; }

  bool Entry(const Slice& key, const Slice& value) override {
    ParsedKey parsed;
    if (!ParseTableKey(key, &parsed)) {
      Damage(0, 0, "an entry without a sequence number");
      return false;
    }
    entry_.key = parsed.user_key;
    entry_.value = value;
    entry_.sequence = parsed.sequence;
    entry_.is_deletion = parsed.type == kTypeDeletion;
    goes_on_ = take_(entry_);
    return goes_on_;
  }

  void Damage(uint64_t, uint64_t, const std::string& what) override {
    if (status_.ok()) status_ = Status::Corruption(entry_.file, what);
  }

  void Unreadable(uint64_t, uint64_t, const std::string& what) override {
    if (status_.ok()) status_ = Status::IOError(entry_.file, what);
  }

  const Status& status() const { return status_; }
  bool goes_on() const { return goes_on_; }

 private:
  const Take& take_;
  StoredEntry entry_;
  Status status_;
  bool goes_on_ = true;
};

Status ReadLog(Env* env, const std::string& dbname, const std::string& name, const Take& take,
               bool* goes_on) {
  StoredEntry entry;
  entry.file = name;
  return ReadRecords(env, dbname + "/" + name, [&](const Slice& record) {
    if (record.size() < kBatchHeaderSize) return Status::Corruption("a record is too short");
    entry.sequence = BatchSequence(record);
    BatchCursor cursor(record);
    for (; *goes_on && cursor.Next(); entry.sequence++) {
      entry.key = cursor.key();
      entry.is_deletion = cursor.type() == kTypeDeletion;
      entry.value = entry.is_deletion ? Slice() : cursor.value();
      *goes_on = take(entry);
    }
    return cursor.status();
  });
}

// Finds the logs that may hold entries which are not in tables yet, oldest first.
Status FindLogs(Env* env, const std::string& dbname, const Files& files,
                std::map<uint64_t, std::string>* logs) {
  std::vector<std::string> names;
  const Status status = env->GetChildren(dbname, &names);
  for (const std::string& name : names) {
    uint64_t number;
    FileType type;
    if (!ParseFileName(name, &number, &type) || type != kLogFile) continue;
    if (number >= files.log_number || number == files.prev_log_number) (*logs)[number] = name;
  }
  return status;
}

}  // namespace

Status ReadComparatorName(Env* env, const std::string& dbname, std::string* name) {
  Files files;
  const Status status = ReadFiles(env, dbname, &files);
  *name = files.comparator;
  return status;
}

Status ReadStoredEntries(Env* env, const std::string& dbname, const Take& take) {
  Files files;
  Status status = ReadFiles(env, dbname, &files);
  if (!status.ok()) return status;
  if (files.has_pool) {
    return Status::NotSupported(dbname,
                                "has newer data in a pool: drain it first, by a program that "
                                "knows its comparator " +
                                    files.comparator);
  }
  bool goes_on = true;
  for (const uint64_t number : files.tables) {
    std::string path = TableFileName(dbname, number);
    if (!env->FileExists(path)) path = LegacyTableFileName(dbname, number);
    TableEntries entries(path.substr(dbname.size() + 1), take);
    status = ScanTable(env, path, &entries);
    if (status.ok()) status = entries.status();
    if (!status.ok() || !entries.goes_on()) return status;
  }
  std::map<uint64_t, std::string> logs;
  status = FindLogs(env, dbname, files, &logs);
  for (const auto& log : logs) {
    if (!status.ok() || !goes_on) return status;
    status = ReadLog(env, dbname, log.second, take, &goes_on);
  }
  return status;
}

}  // namespace leveldb
