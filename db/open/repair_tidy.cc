#include "db/open/repair_tidy.h"

#include "db/open/lost_files.h"
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
  LostFiles lost(context_->env(), context_->dbname(), [this] { return context_->NewFileNumber(); });
  std::string target;
  Note(lost.Move(name, &target), context_->dbname() + "/" + name);
}

void RepairTidy::Note(const Status& status, const std::string& path) {
  if (status.ok()) return;
  Log(context_->info_log(), "repair: %s: %s", path.c_str(), status.ToString().c_str());
  if (status_.ok()) status_ = status;
}

}  // namespace leveldb
