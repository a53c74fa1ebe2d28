// Describes one spill: trees of the group leave persistent memory and become tables. A plan holds
// references to everything it names; carrying it out needs no lock.

#ifndef BUSHSTORE_DB_DECIDE_SPILL_PLAN_H_
#define BUSHSTORE_DB_DECIDE_SPILL_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "db/version/file_meta.h"
#include "db/version/version.h"
#include "db/version/version_edit.h"
#include "entry/internal_key.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// A plain value.
struct SpillPlan {
  VersionPtr version;  // the version that the plan is for

  // The trees that leave the group, by level. For every key, no entry that stays is older than one
  // that leaves.
  TreeLevels trees;

  // Tables of level 0 that overlap, newest first. They remain from a time without a tier: they are
  // older than all trees, and would be newer than the output.
  std::vector<FileMetaPtr> level0;

  // The level of the output, and the tables there that overlap.
  int output_level = 1;
  std::vector<FileMetaPtr> overlapped;

  // The files of the level below output_level that overlap the inputs.
  std::vector<FileMetaPtr> grandparents;

  // The range of user keys of all inputs, both ends included: the outputs stay inside it.
  std::string smallest_user_key;
  std::string largest_user_key;

  // The level of the group that the plan started from, and the key after which its next spill
  // starts.
  int group_level = 0;
  InternalKey group_pointer;

  uint64_t InputTableBytes() const;
  uint64_t InputUserBytes() const;  // of the trees: keys and values

  // Adds to *edit the removal of all inputs and the new group pointer.
  void AddInputsTo(VersionEdit* edit) const;

  // One line, for the info log and for tests.
  std::string DebugString() const;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_SPILL_PLAN_H_
