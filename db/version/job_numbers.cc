#include "db/version/job_numbers.h"

#include <algorithm>

namespace leveldb {

void JobNumbers::NoteInstalled(const VersionEdit& edit) {
  for (const VersionEdit::DeletedFile& file : edit.deleted_files()) {
    tables_[file.number] = file.level;
  }
  for (const VersionEdit::NewFile& file : edit.new_files()) tables_.erase(file.number);
  for (const PmemEdit::DeletedTree& tree : edit.pmem().deleted_trees()) {
    trees_[tree.number] = tree.level;
  }
  for (const PmemEdit::NewTree& tree : edit.pmem().new_trees()) trees_.erase(tree.record.number);
  ForgetTheOld();
}

void JobNumbers::NoteFailed(const VersionEdit& edit) {
  for (const VersionEdit::NewFile& file : edit.new_files()) tables_[file.number] = file.level;
  for (const PmemEdit::NewTree& tree : edit.pmem().new_trees()) {
    trees_[tree.record.number] = tree.level;
  }
  // The tables and trees that the edit would move are named as before.
  for (const VersionEdit::DeletedFile& file : edit.deleted_files()) tables_.erase(file.number);
  for (const PmemEdit::DeletedTree& tree : edit.pmem().deleted_trees()) trees_.erase(tree.number);
  ForgetTheOld();
}

void JobNumbers::AddTo(uint64_t next_number, bool with_tier, VersionEdit* beginning) const {
  const uint64_t lowest = Lowest(next_number);
  beginning->SetNextFile(lowest);
  for (auto table = tables_.lower_bound(lowest); table != tables_.end(); ++table) {
    beginning->RemoveFile(table->second, table->first);
  }
  if (!with_tier) return;
  for (auto tree = trees_.lower_bound(lowest); tree != trees_.end(); ++tree) {
    beginning->pmem().RemoveTree(tree->second, tree->first);
  }
}

uint64_t JobNumbers::Lowest(uint64_t next_number) const {
  return begun_at_.empty() ? next_number : std::min(*begun_at_.begin(), next_number);
}

// Forgets dropped tables and trees below the lowest number of the running jobs; without a running
// job, all of them: a manifest that is begun then does not need them.
void JobNumbers::ForgetTheOld() {
  const uint64_t lowest = Lowest(~uint64_t{0});
  tables_.erase(tables_.begin(), tables_.lower_bound(lowest));
  trees_.erase(trees_.begin(), trees_.lower_bound(lowest));
}

}  // namespace leveldb
