// Builds the next version from a version and edits.

#ifndef BUSHSTORE_DB_VERSION_VERSION_BUILDER_H_
#define BUSHSTORE_DB_VERSION_VERSION_BUILDER_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "db/version/version.h"
#include "db/version/version_edit.h"
#include "leveldb/status.h"

namespace leveldb {

// Opens a tree that a manifest names.
using TreeOpener = std::function<Status(const TreeRecord& record, TreePtr* tree)>;

// Used by one thread at a time. Levels that no edit touches are shared with the base; a table that
// one edit moves to another level keeps its FileMeta, and such a tree stays open.
class VersionBuilder {
 public:
  // `base` may be an empty version. `comparator` must outlive what is built. `open_tree` opens the
  // trees of edits that were read from a manifest; if it is unset, such trees are an error.
  VersionBuilder(const InternalKeyComparator* comparator, VersionPtr base,
                 TreeOpener open_tree = nullptr);

  VersionBuilder(const VersionBuilder&) = delete;
  VersionBuilder& operator=(const VersionBuilder&) = delete;

  // Adds an edit. Edits apply in the order of the calls; within one edit, deletions apply first.
  void Apply(const VersionEdit& edit);

  // Sets the shape of the levels; the default is that of the base.
  void SetShape(const LevelShape& shape) { shape_ = shape; }

  // Builds the version. Returns Corruption if files or trees of a level from 1 on overlap, or if a
  // file has its bounds in the wrong order or is named twice in a level. Opens the trees that are
  // not open, except those that a later edit has removed. Called once.
  Status Build(VersionPtr* version);

 private:
  struct LevelChanges {
    std::set<uint64_t> removed;  // from the base
    std::map<uint64_t, FileMetaPtr> added;
  };
  struct GroupChanges {
    std::set<uint64_t> removed;  // from the base
    std::map<uint64_t, PmemEdit::NewTree> added;
  };

  void ApplyToGroup(const PmemEdit& edit);
  TreePtr FindTree(const PmemEdit& edit, const PmemEdit::NewTree& added) const;
  Status BuildGroup(TreeGroupPtr* group);
  Status OpenTree(PmemEdit::NewTree* added) const;

  FileMetaPtr MetaFor(const VersionEdit& edit, const VersionEdit::NewFile& file) const;
  FileMetaPtr Find(int level, uint64_t number) const;
  Status BuildLevel(int level, LevelFilesPtr* files) const;
  bool AscendingKeys(const FileMeta& a, const FileMeta& b) const;
  Status CheckLevel(int level, const std::vector<FileMetaPtr>& files) const;

  const InternalKeyComparator* const comparator_;
  const VersionPtr base_;
  const TreeOpener open_tree_;
  LevelShape shape_;
  std::array<LevelChanges, kNumLevels> changes_;
  std::array<GroupChanges, kGroupLevels> group_changes_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_VERSION_BUILDER_H_
