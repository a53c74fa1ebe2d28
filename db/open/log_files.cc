#include "db/open/log_files.h"

#include <algorithm>

#include "db/files/filename.h"
#include "db/open/applied_log.h"
#include "db/version/manifest_reader.h"

namespace leveldb {

LogFiles::LogFiles(DbState* state)
    : state_(state),
      lost_(state->env(), state->dbname(), [state] { return state->versions->NewFileNumber(); }) {}

Status LogFiles::Find(std::vector<uint64_t>* numbers) {
  std::vector<std::string> names;
  const Status status = state_->env()->GetChildren(state_->dbname(), &names);
  if (!status.ok()) return status;
  const VersionSet& versions = *state_->versions;
  for (const std::string& name : names) {
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
      older_.push_back(name);
    }
  }
  std::sort(numbers->begin(), numbers->end());
  return status;
}

void LogFiles::NoteIncomplete(const std::vector<uint64_t>& numbers) {
  for (const uint64_t number : numbers) {
    incomplete_.push_back(
        LogFileName(state_->dbname(), number).substr(state_->dbname().size() + 1));
  }
}

std::set<std::string> LogFiles::SetAside(TableCache* table_cache) {
  std::set<std::string> stay;
  for (const std::string& name : incomplete_) {
    if (!Keep(name, "something in it is damaged and was not applied",
              " (`leveldbutil dump` shows what else is in it)")) {
      stay.insert(name);
    }
  }
  if (older_.empty()) return stay;
  VersionPtr version;
  {
    MutexLock lock(&state_->mutex);
    version = state_->versions->current();
  }
  const AppliedLog applied(state_->env(), table_cache, version);
  for (const std::string& name : older_) {
    if (applied.IsApplied(state_->dbname() + "/" + name)) continue;
    if (!Keep(name,
              "it is older than the manifest asks for, and has writes that this database does not "
              "know of",
              "; to have what is not in the database, close it, move this file back and repair it "
              "(`bushstore repair " +
                  state_->dbname() + "`)")) {
      stay.insert(name);
    }
  }
  return stay;
}

// Returns false if the file is still in the directory, and no file in lost/ has the same bytes.
bool LogFiles::Keep(const std::string& name, const char* why, const std::string& remedy) {
  const std::string path = state_->dbname() + "/" + name;
  std::string target;
  const Status status = lost_.Keep(name, &target);
  if (status.ok()) {
    Log(state_->info_log(), "%s: %s: it is kept as %s%s", path.c_str(), why, target.c_str(),
        remedy.c_str());
  } else {
    Log(state_->info_log(), "%s: %s: it stays where it is, because it cannot be moved to lost/: %s",
        path.c_str(), why, status.ToString().c_str());
  }
  return status.ok();
}

}  // namespace leveldb
