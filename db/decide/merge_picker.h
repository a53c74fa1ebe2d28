// Chooses which trees of the group to merge. Pure functions of a version and of the running jobs
// that return a plan.
//
// A merge of level 0 is due at a number of trees, one of a deeper level when its leaves take more
// space than its target; the last level has no target. The level that is too full by the highest
// factor comes first, except that level 0 comes before all others once it delays writers.
//
// Level 0: the oldest tree is merged down first, with the trees that overlap it: older ones always,
// newer ones as far as the pool has room. Deeper levels: one tree at a time, in turn, starting
// after the group pointer. Every tree of the next level that overlaps is merged in.

#ifndef BUSHSTORE_DB_DECIDE_MERGE_PICKER_H_
#define BUSHSTORE_DB_DECIDE_MERGE_PICKER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "db/decide/merge_plan.h"
#include "db/decide/reservations.h"
#include "db/decide/tree_range.h"
#include "db/version/version.h"

namespace leveldb {

// The target of level 1 in flushed trees, and the ratio between the targets of a level and the
// level above it.
inline constexpr uint64_t kGroupLevel1Trees = 4;
inline constexpr uint64_t kGroupLevelGrowth = 8;

struct MergeOptions {
  // The number of trees of level 0 at which a merge is due, the number at which it comes before all
  // others, and the most trees that one merge takes.
  int level0_trigger = kLevel0CompactionTrigger;
  int level0_urgent = kLevel0SlowdownDepth;
  int level0_width = kLevel0StopDepth;

  // The space that the leaves of a recently flushed tree take: the unit of the levels' targets.
  uint64_t flushed_leaf_bytes = 0;

  // The room that the pool has left for the outputs, and the size of its extents.
  uint64_t free_bytes = UINT64_MAX;
  uint64_t extent_bytes = 0;

  // Encoded internal keys, or empty: VersionSet::group_pointers().
  std::array<std::string, kGroupLevels> pointers;

  // The reservations of running jobs. Not owned.
  const Reservations* running = nullptr;
};

// Returns the target of `level`: the space that its leaves should take at most.
// REQUIRES: 1 <= level < kGroupLevels.
uint64_t GroupLevelTarget(int level, uint64_t flushed_leaf_bytes);

// Returns how full a level of the group is; a merge is due at 1 or more.
double GroupLevelScore(const TreeGroup& group, const MergeOptions& options, int level);

// Returns the space in the pool that a merge may need before it frees that of its inputs.
uint64_t MergeBytesNeeded(const MergePlan& plan, const MergeOptions& options);

struct MergePick {
  std::optional<MergePlan> plan;

  // If not 0 and there is no plan: a merge is due for which the pool has no room; it needs this
  // much.
  uint64_t bytes_wanted = 0;

  // Levels whose trees are taken by running jobs while a merge from above waits for them: no other
  // job should take trees from there.
  std::array<bool, kGroupLevels> awaited{};
};

// Returns what to merge next, if there is anything that can start now.
// REQUIRES: the database mutex is held (for the reservations).
MergePick PickMerge(const VersionPtr& version, const MergeOptions& options);

// The goal of a read-triggered compaction, which reduces the number of sorted runs that reads have
// to search: to merge the trees that the first non-empty level has now with the trees that they
// overlap in the next level. Trees that are flushed or merged meanwhile are not part of the goal,
// so that it can be reached.
struct ReadTriggeredGoal {
  int level = 0;
  uint64_t newest = 0;  // the number of a tree

  // Returns whether some of the goal's trees are among the level's trees.
  bool IsLeft(const TreeList& trees) const;
};

// Returns the goal of a read-triggered compaction of the group; nothing if the group has at most
// one run.
std::optional<ReadTriggeredGoal> FindReadTriggeredGoal(const TreeGroup& group);

// Returns the next step towards `goal`, if there is one that can start now and has room.
// REQUIRES: the database mutex is held.
std::optional<MergePlan> PickReadTriggered(const VersionPtr& version, const MergeOptions& options,
                                           const ReadTriggeredGoal& goal);

struct ManualMergePick {
  enum Outcome {
    kNothingToDo,  // no tree of the level is in the range
    kBusy,         // try again when a running job has ended
    kNoRoom,       // the pool has no room for it: `bytes_wanted` is set
    kPlan,         // `plan` is set
  };
  Outcome outcome = kNothingToDo;
  uint64_t bytes_wanted = 0;
  std::optional<MergePlan> plan;
};

// Returns the next step of a manual merge of the range into the next level. From level 1 on a step
// takes one tree of the level; the plan's continue_after then says where the next one begins
// (unset: the range is done). REQUIRES: the database mutex is held.
ManualMergePick PickManualMerge(const VersionPtr& version, const MergeOptions& options,
                                const ManualRange& range);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_MERGE_PICKER_H_
