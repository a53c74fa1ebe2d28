#include "db/decide/deeper_levels_check.h"

namespace leveldb {

DeeperLevelsCheck::DeeperLevelsCheck(const CompactionPlan& plan, const Comparator* user_comparator)
    : version_(plan.version),
      first_level_(plan.output_level + 1),
      user_comparator_(user_comparator) {}

bool DeeperLevelsCheck::MayContain(const Slice& user_key) {
  for (int level = first_level_; level < kNumLevels; level++) {
    const std::vector<FileMetaPtr>& files = version_->files(level);
    size_t& cursor = cursors_[level];
    while (cursor < files.size() &&
           user_comparator_->Compare(files[cursor]->largest.user_key(), user_key) < 0) {
      cursor++;
    }
    if (cursor < files.size() &&
        user_comparator_->Compare(files[cursor]->smallest.user_key(), user_key) <= 0) {
      return true;
    }
  }
  return false;
}

}  // namespace leveldb
