// Chooses which trees to spill, that is, to move from persistent memory to tables. Pure functions
// of a version and of the running jobs that return a plan.
//
// The deepest level of the group holds the oldest entries; its trees are spilled in turn,
// neighbours together as long as the step is not too large. If running jobs have taken all of them,
// trees of the level above are tried: every older tree that overlaps is spilled with them, so that
// for every key the spilled entries are older than those that stay.
//
// The output level must be above all tables that overlap, and should be as deep as is cheap: the
// first level with tables that overlap, merged with these, if they are not too many; else the level
// above it; kMaxMemtableLevel if no table overlaps.
//
// For CompactRange, all trees that lie over tables in its range are spilled, in key order.

#ifndef BUSHSTORE_DB_DECIDE_SPILL_PICKER_H_
#define BUSHSTORE_DB_DECIDE_SPILL_PICKER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "db/decide/reservations.h"
#include "db/decide/spill_plan.h"
#include "db/decide/tree_range.h"
#include "db/version/version.h"

namespace leveldb {

// Returns the most bytes of keys and values that one spill takes from a pool of `pool_bytes`,
// unless a single tree has more: a small part of the pool, and never so much that it takes long.
uint64_t SpillUserBytes(uint64_t pool_bytes);

// A spill into a level whose tables overlap by more than this many times its own bytes goes to the
// level above instead.
inline constexpr uint64_t kSpillOverlapFactor = 4;

struct SpillOptions {
  // See SpillUserBytes().
  uint64_t user_bytes_max = uint64_t{64} << 20;
  // Encoded internal keys, or empty: VersionSet::group_pointers().
  std::array<std::string, kGroupLevels> pointers;
  // Levels of the group that a merge waits for: no tree is taken from there.
  std::array<bool, kGroupLevels> awaited{};
  // The reservations of running jobs. Not owned.
  const Reservations* running = nullptr;
};

// Returns whether to spill when the share `use` (0 to 1) of the pool is taken. Once begun, spilling
// continues below `start` down to `stop`.
inline bool SpillIsDue(double use, bool has_begun, double start, double stop) {
  return use >= start || (has_begun && use > stop);
}

// Returns what to spill next, if there is anything that can start now.
// REQUIRES: the database mutex is held (for the reservations).
std::optional<SpillPlan> PickSpill(const VersionPtr& version, const SpillOptions& options);

struct ManualSpillPick {
  enum Outcome {
    kNothingToDo,  // no tree lies over a table in the range
    kBusy,         // try again when a running job has ended
    kPlan,         // `plan` is set
  };
  Outcome outcome = kNothingToDo;
  std::optional<SpillPlan> plan;
};

// Returns the next step of a spill of those trees that lie over tables in the range: overwritten
// and deleted entries of the tables can be dropped only when they are merged with these trees. The
// next step begins after the user key of the plan's group_pointer. Ignores `awaited` and `pointers`
// of the options.
// REQUIRES: range.level > 0; the database mutex is held.
ManualSpillPick PickManualSpill(const VersionPtr& version, const SpillOptions& options,
                                const ManualRange& range);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_SPILL_PICKER_H_
