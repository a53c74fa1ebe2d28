// What one spill is to do: trees of the group leave persistent memory and become tables. A plan
// holds references to everything it names; carrying it out needs no lock.

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
  VersionPtr version;  // what was looked at

  // What leaves the group, by level. Nothing that stays is older, for any key, than what leaves.
  TreeLevels trees;

  // Tables of level 0 that overlap, newest first, as a past without a tier left them: they are
  // older than all trees, and would be newer than the output.
  std::vector<FileMetaPtr> level0;

  // The level of the tables that are made, and the tables there that overlap.
  int output_level = 1;
  std::vector<FileMetaPtr> overlapped;

  // The files of the level below output_level that overlap the inputs.
  std::vector<FileMetaPtr> grandparents;

  // The range of user keys of all inputs, both ends included: the outputs stay inside it.
  std::string smallest_user_key;
  std::string largest_user_key;

  // The level of the group that took its turn, and where its next spill starts.
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
