#include "db/decide/base_level_check.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace leveldb {

BaseLevelCheck::BaseLevelCheck(VersionPtr version, int first_group_level, int first_level)
    : version_(std::move(version)),
      first_group_level_(first_group_level),
      first_level_(first_level),
      comparator_(*version_->comparator()) {}

BaseLevelCheck BaseLevelCheck::BelowTables(VersionPtr version, int output_level) {
  return BaseLevelCheck(std::move(version), kGroupLevels, output_level + 1);
}

BaseLevelCheck BaseLevelCheck::BelowTrees(VersionPtr version, int output_level) {
  assert(output_level >= 1);
  return BaseLevelCheck(std::move(version), output_level + 1, 0);
}

bool BaseLevelCheck::MayContain(const Slice& user_key) {
  for (int level = first_group_level_; level < kGroupLevels; level++) {
    if (TreesMayContain(level, user_key)) return true;
  }
  for (int level = first_level_; level < kNumLevels; level++) {
    if (level == 0 ? Level0MayContain(user_key) : TablesMayContain(level, user_key)) return true;
  }
  return false;
}

bool BaseLevelCheck::TreesMayContain(int level, const Slice& user_key) {
  const TreeList& trees = version_->group()->trees(level);
  size_t& cursor = tree_cursors_[level];
  while (cursor < trees.size() &&
         comparator_.CompareUserKeys(trees[cursor]->largest_user_key(), user_key) < 0) {
    cursor++;
  }
  return cursor < trees.size() &&
         comparator_.CompareUserKeys(trees[cursor]->smallest_user_key(), user_key) <= 0;
}

bool BaseLevelCheck::TablesMayContain(int level, const Slice& user_key) {
  const std::vector<FileMetaPtr>& files = version_->files(level);
  size_t& cursor = cursors_[level];
  while (cursor < files.size() &&
         comparator_.CompareUserKeys(files[cursor]->largest.user_key(), user_key) < 0) {
    cursor++;
  }
  return cursor < files.size() &&
         comparator_.CompareUserKeys(files[cursor]->smallest.user_key(), user_key) <= 0;
}

bool BaseLevelCheck::Level0MayContain(const Slice& user_key) const {
  return std::any_of(
      version_->files(0).begin(), version_->files(0).end(), [&](const FileMetaPtr& file) {
        return comparator_.CompareUserKeys(file->smallest.user_key(), user_key) <= 0 &&
               comparator_.CompareUserKeys(file->largest.user_key(), user_key) >= 0;
      });
}

}  // namespace leveldb
