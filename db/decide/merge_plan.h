// Describes one merge of trees. A plan holds references to everything it names; carrying it out
// needs no lock.

#ifndef BUSHSTORE_DB_DECIDE_MERGE_PLAN_H_
#define BUSHSTORE_DB_DECIDE_MERGE_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "db/version/version.h"
#include "db/version/version_edit.h"
#include "entry/internal_key.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

enum class MergeReason {
  kSize,    // the level is too full
  kReads,   // a read-triggered compaction
  kManual,  // CompactRange
};

// A plain value. Levels are those of the group.
struct MergePlan {
  VersionPtr version;  // the version that the plan is for
  int level = 0;
  int output_level = 0;
  // [0]: trees of `level`; [1]: trees of `output_level`. Each in the order of its level.
  TreeList inputs[2];
  MergeReason reason = MergeReason::kSize;
  // The one input can be moved down as it is.
  bool is_trivial_move = false;

  // The range of user keys of all inputs, both ends included: the outputs stay inside it.
  std::string smallest_user_key;
  std::string largest_user_key;

  // The key after which the next merge of `level` starts: the largest key of inputs[0].
  InternalKey group_pointer;

  // The user key after which a manual merge that stopped early continues.
  std::optional<std::string> continue_after;

  // Returns the space that the leaves of all inputs take: about the most that the outputs will
  // take.
  uint64_t InputLeafBytes() const;

  // Adds to *edit the removal of all inputs and the new group pointer.
  void AddInputsTo(VersionEdit* edit) const;

  // For the trivial move: what AddInputsTo() adds, and the tree again at output_level.
  // REQUIRES: is_trivial_move.
  void AddMoveTo(VersionEdit* edit) const;

  // One line, for the info log and for tests.
  std::string DebugString() const;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_MERGE_PLAN_H_
