#include "db/open/repair_tidy.h"

#include "db/files/filename.h"
#include "db/open/repair_survey.h"
#include "leveldb/env.h"

namespace leveldb {

void RepairTidy::Remove(const std::string& name) {
  const std::string path = context_->dbname() + "/" + name;
  Note(context_->env()->RemoveFile(path), path);
}

void RepairTidy::RemoveIfThere(const std::string& path) {
  if (context_->env()->FileExists(path)) Note(context_->env()->RemoveFile(path), path);
}

void RepairTidy::SetAside(const std::string& name) {
  // Fails if it is there already. If it can't be made, the move fails.
  static_cast<void>(context_->env()->CreateDir(LostDirectory(context_->dbname())));
  const std::string path = context_->dbname() + "/" + name;
  std::string target = LostDirectory(context_->dbname()) + "/" + name;
  if (context_->env()->FileExists(target)) target = NewNameInLost(name);
  Note(context_->env()->RenameFile(path, target), path);
}

// A name of the same kind with a number that no file has.
std::string RepairTidy::NewNameInLost(const std::string& name) {
  const std::string lost = LostDirectory(context_->dbname());
  const uint64_t new_number = context_->NewFileNumber();
  uint64_t number;
  FileType type = kTempFile;
  ParseFileName(name, &number, &type);
  if (type == kTableFile) return TableFileName(lost, new_number);
  return type == kLogFile ? LogFileName(lost, new_number) : ManifestFileName(lost, new_number);
}

void RepairTidy::Note(const Status& status, const std::string& path) {
  if (status.ok()) return;
  Log(context_->info_log(), "repair: %s: %s", path.c_str(), status.ToString().c_str());
  if (status_.ok()) status_ = status;
}

}  // namespace leveldb
