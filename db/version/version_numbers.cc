#include "db/version/version_numbers.h"

#include <algorithm>
#include <unordered_set>

#include "util/text.h"

namespace leveldb {

Status CheckNumbersAreUnique(const Version& version) {
  std::unordered_set<uint64_t> seen;
  for (int level = 0; level < kNumLevels; level++) {
    for (const FileMetaPtr& file : version.files(level)) {
      if (seen.insert(file->number).second) continue;
      return Status::Corruption("manifest names a table at two levels",
                                "#" + NumberToString(file->number));
    }
  }
  for (int level = 0; level < kGroupLevels; level++) {
    for (const TreePtr& tree : version.group()->trees(level)) {
      if (seen.insert(tree->number()).second) continue;
      return Status::Corruption("manifest gives a number twice", tree->record().DebugString());
    }
  }
  return Status::OK();
}

uint64_t HighestNumber(const Version& version) {
  uint64_t highest = 0;
  for (int level = 0; level < kNumLevels; level++) {
    for (const FileMetaPtr& file : version.files(level)) highest = std::max(highest, file->number);
  }
  for (int level = 0; level < kGroupLevels; level++) {
    for (const TreePtr& tree : version.group()->trees(level)) {
      highest = std::max(highest, tree->number());
    }
  }
  return highest;
}

}  // namespace leveldb
