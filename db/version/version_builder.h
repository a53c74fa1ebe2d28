// A version plus edits gives the next version.

#ifndef BUSHSTORE_DB_VERSION_VERSION_BUILDER_H_
#define BUSHSTORE_DB_VERSION_VERSION_BUILDER_H_

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "db/version/version.h"
#include "db/version/version_edit.h"
#include "leveldb/status.h"

namespace leveldb {

// Used by one thread at a time. Levels that no edit touches are shared with the base; a table that
// one edit takes from a level and puts into another keeps its FileMeta.
class VersionBuilder {
 public:
  // `base` may be an empty version. `comparator` must outlive what is built.
  VersionBuilder(const InternalKeyComparator* comparator, VersionPtr base);

  VersionBuilder(const VersionBuilder&) = delete;
  VersionBuilder& operator=(const VersionBuilder&) = delete;

  // Edits apply in the order of the calls; within one edit deletions go first.
  void Apply(const VersionEdit& edit);

  // Corruption if files of a level from 1 on overlap, or if a file has its bounds the wrong way
  // round or is named twice in a level.
  Status Build(VersionPtr* version) const;

 private:
  struct LevelChanges {
    std::set<uint64_t> removed;  // from the base
    std::map<uint64_t, FileMetaPtr> added;
  };

  FileMetaPtr MetaFor(const VersionEdit& edit, const VersionEdit::NewFile& file) const;
  FileMetaPtr Find(int level, uint64_t number) const;
  Status BuildLevel(int level, LevelFilesPtr* files) const;
  bool AscendingKeys(const FileMeta& a, const FileMeta& b) const;
  Status CheckLevel(int level, const std::vector<FileMetaPtr>& files) const;

  const InternalKeyComparator* const comparator_;
  const VersionPtr base_;
  std::array<LevelChanges, kNumLevels> changes_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_VERSION_BUILDER_H_
