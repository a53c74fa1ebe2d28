// A Version is the set of the tables of every level, and of the trees of the group, at one moment.

#ifndef BUSHSTORE_DB_VERSION_VERSION_H_
#define BUSHSTORE_DB_VERSION_VERSION_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/version/file_meta.h"
#include "db/version/level_files.h"
#include "db/version/level_limits.h"
#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// Immutable, hence thread-safe. Shared by std::shared_ptr<const Version>; its tables stay on disk,
// and its trees in the pool, as long as it exists.
//
// For one user key, all entries in the group are newer than those in tables.
class Version {
 public:
  using Levels = std::array<LevelFilesPtr, kNumLevels>;

  // An empty version. `comparator` must outlive it.
  explicit Version(const InternalKeyComparator* comparator);

  // REQUIRES: no entry of `levels` is null, nor is `group`; the order is that of files().
  Version(const InternalKeyComparator* comparator, Levels levels, TreeGroupPtr group,
          const LevelShape& shape);

  Version(const Version&) = delete;
  Version& operator=(const Version&) = delete;

  // Level 0: newest first, may overlap. Other levels: ascending, no two files overlap.
  const std::vector<FileMetaPtr>& files(int level) const { return levels_[level]->files(); }
  const LevelFiles& level(int level) const { return *levels_[level]; }
  // The same with shared ownership, for iterators that outlive the version.
  const LevelFilesPtr& shared_level(int level) const { return levels_[level]; }

  int num_files(int level) const { return static_cast<int>(levels_[level]->size()); }
  bool has_files() const { return has_files_; }  // on any level
  uint64_t level_bytes(int level) const { return levels_[level]->bytes(); }

  // The trees in persistent memory. Never null; empty without a tier.
  const TreeGroupPtr& group() const { return group_; }

  const LevelShape& shape() const { return shape_; }

  // See LevelScore().
  double score(int level) const;
  // Return the highest score of all levels, and the level that has it.
  double compaction_score() const;
  int compaction_level() const;

  // Returns the files of `level` that may hold user keys within [begin, end], in the level's order;
  // a null bound is open. For level 0 the range is widened by the files found until no further file
  // overlaps it, so that the result holds every version of each user key in it.
  std::vector<FileMetaPtr> Overlapping(int level, const InternalKey* begin,
                                       const InternalKey* end) const;
  std::vector<FileMetaPtr> OverlappingUserRange(int level, const Slice* begin,
                                                const Slice* end) const;

  // Returns whether any file of `level` may hold a user key within [*smallest, *largest]; a null
  // bound is open.
  bool OverlapInLevel(int level, const Slice* smallest, const Slice* largest) const;

  // Returns whether file `number` is in `level`.
  bool Contains(int level, uint64_t number) const;

  const InternalKeyComparator* comparator() const { return comparator_; }

  // Returns the text of the property "leveldb.sstables": every level with its files, one per line,
  // and the levels of the group that have trees.
  std::string DebugString() const;

 private:
  const InternalKeyComparator* const comparator_;
  const Levels levels_;
  const bool has_files_;
  const TreeGroupPtr group_;
  const LevelShape shape_;
};

using VersionPtr = std::shared_ptr<const Version>;

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_VERSION_H_
