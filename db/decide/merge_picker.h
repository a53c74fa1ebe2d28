// Chooses which trees of the group to merge. Pure functions: they look at a version and at what is
// running, and return a plan.
//
// Level 0 wants a merge when it has so many trees, a deeper level when its leaves take more space
// than it is meant to have; the last level takes what comes. The level that is too full by the
// highest factor comes first, but before all others level 0 once it delays writers.
//
// Level 0: the oldest tree sinks first, and with it whatever overlaps it, older ones always and
// newer ones as far as the pool has room. Below, a tree at a time takes its turn, starting after
// the group pointer. Every tree of the next level that overlaps is merged in.

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

// Level 1 is meant to have the space of so many flushed trees, and each further level so many times
// the space of the level above it.
inline constexpr uint64_t kGroupLevel1Trees = 4;
inline constexpr uint64_t kGroupLevelGrowth = 8;

struct MergeOptions {
  // Trees of level 0 that make a merge due, those at which it comes before all others, and the most
  // that one merge takes.
  int level0_trigger = kLevel0CompactionTrigger;
  int level0_urgent = kLevel0SlowdownDepth;
  int level0_width = kLevel0StopDepth;

  // The space that the leaves of a flushed tree take lately: what the levels are measured by.
  uint64_t flushed_leaf_bytes = 0;

  // What the pool has left for the outputs, and the size of its extents.
  uint64_t free_bytes = UINT64_MAX;
  uint64_t extent_bytes = 0;

  // Encoded internal keys, or empty: VersionSet::group_pointers().
  std::array<std::string, kGroupLevels> pointers;

  // What is running. Not owned.
  const Reservations* running = nullptr;
};

// The space that `level` is meant to have for leaves. REQUIRES: 1 <= level < kGroupLevels.
uint64_t GroupLevelTarget(int level, uint64_t flushed_leaf_bytes);

// How full a level of the group is: 1 or more says that it wants a merge.
double GroupLevelScore(const TreeGroup& group, const MergeOptions& options, int level);

// The space in the pool that a merge may need before it gives up that of its inputs.
uint64_t MergeBytesNeeded(const MergePlan& plan, const MergeOptions& options);

struct MergePick {
  std::optional<MergePlan> plan;

  // Without a plan, not 0: a merge is due that the pool has no room for, and needs this much.
  uint64_t bytes_wanted = 0;

  // Levels whose trees are taken by running jobs while a merge from above waits for them: nobody
  // else should take more from there.
  std::array<bool, kGroupLevels> awaited{};
};

// Returns what to merge next, if there is anything that can start now.
// REQUIRES: the database mutex is held (for the reservations).
MergePick PickMerge(const VersionPtr& version, const MergeOptions& options);

// What is merged because reads have to look into several sorted runs: the trees of the first level
// that has some, as far as they are there already, with whatever they overlap in the next level.
// What is flushed or merged meanwhile is not part of it, so that it comes to an end.
struct ReadTriggeredGoal {
  int level = 0;
  uint64_t newest = 0;  // the number of a tree

  // Whether some of it is among the level's trees.
  bool IsLeft(const TreeList& trees) const;
};

// Nothing if the group has one run at most.
std::optional<ReadTriggeredGoal> FindReadTriggeredGoal(const TreeGroup& group);

// The next step of it, if there is one that can start now and has room.
// REQUIRES: the database mutex is held.
std::optional<MergePlan> PickReadTriggered(const VersionPtr& version, const MergeOptions& options,
                                           const ReadTriggeredGoal& goal);

struct ManualMergePick {
  enum Outcome {
    kNothingToDo,  // no tree of the level is in the range
    kBusy,         // ask again when a running job has ended
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
