#include "db/open/log_files.h"

#include <algorithm>
#include <memory>

#include "db/files/filename.h"
#include "db/version/manifest_reader.h"
#include "entry/batch_cursor.h"
#include "filelog/log_reader.h"

namespace leveldb {

namespace {

class ReadErrors final : public LogReporter {
 public:
  void Corruption(size_t, const Status& status) override { any_ |= !status.IsCorruption(); }
  bool any() const { return any_; }

 private:
  bool any_ = false;
};

}  // namespace

LogFiles::LogFiles(DbState* state)
    : state_(state),
      lost_(state->env(), state->dbname(), [state] { return state->versions->NewFileNumber(); }) {}

Status LogFiles::Find(std::vector<uint64_t>* numbers) {
  std::vector<std::string> names;
  Status status = state_->env()->GetChildren(state_->dbname(), &names);
  const VersionSet& versions = *state_->versions;
  for (const std::string& name : names) {
    if (!status.ok()) return status;
    uint64_t number;
    FileType type;
    if (!ParseFileName(name, &number, &type) || type != kLogFile) continue;
    if (number > kMaxFileNumber) {
      return Status::Corruption(state_->dbname() + "/" + name,
                                "no database gives a log so high a number: move it elsewhere, or " +
                                    HowToRepair(state_->dbname()));
    }
    if (number >= versions.LogNumber() || number == versions.PrevLogNumber()) {
      numbers->push_back(number);
    } else {
      status = KeepIfUnapplied(name);
    }
  }
  std::sort(numbers->begin(), numbers->end());
  return status;
}

Status LogFiles::KeepIfUnapplied(const std::string& name) {
  const std::string path = state_->dbname() + "/" + name;
  if (!IsUnapplied(path)) return Status::OK();
  std::string target;
  const Status status = lost_.Move(name, &target);
  if (!status.ok()) return status;
  Log(state_->info_log(),
      "%s has writes that this database does not know of, and is older than the manifest asks for: "
      "it was not applied, and is kept as %s",
      path.c_str(), target.c_str());
  return status;
}

// Whether the log has a write after the last one that the manifest knows of, or can't be read.
bool LogFiles::IsUnapplied(const std::string& path) const {
  SequentialFile* opened = nullptr;
  if (!state_->env()->NewSequentialFile(path, &opened).ok()) return true;
  const std::unique_ptr<SequentialFile> file(opened);
  ReadErrors errors;
  LogReader reader(file.get(), &errors, /*checksum=*/true);
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) {
    if (record.size() < kBatchHeaderSize || BatchCount(record) == 0) continue;
    const SequenceNumber first = BatchSequence(record);
    if (first > kMaxSequenceNumber) continue;
    if (first + (BatchCount(record) - 1) > state_->versions->LastSequence()) return true;
  }
  return errors.any();
}

Status LogFiles::Keep(const std::vector<uint64_t>& numbers) {
  Status status;
  for (const uint64_t number : numbers) {
    const std::string path = LogFileName(state_->dbname(), number);
    std::string target;
    status = lost_.Copy(path.substr(state_->dbname().size() + 1), &target);
    if (!status.ok()) return status;
    Log(state_->info_log(), "%s: what could not be applied of it is kept in %s", path.c_str(),
        target.c_str());
  }
  return status;
}

}  // namespace leveldb
