// Chooses what leaves persistent memory for tables. Pure functions: they look at a version and at
// what is running, and return a plan.
//
// The deepest level of the group holds what is oldest; its trees take turns, neighbours together as
// long as the step is not too large. If everything there is taken by running jobs, the level above
// it is looked at: whatever is older and overlaps goes along, so that for every key what leaves is
// older than what stays.
//
// The tables go as high as they must, and as deep as is cheap: above all tables that overlap; or
// into the first level that has some, merged with these, if they are not too many.
//
// CompactRange asks for more: whatever lies over tables in its range, by key.

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

// How many bytes of keys and values one spill takes at most from a pool of that size, unless one
// tree has more: a small part of the pool, and never so much that it takes long.
uint64_t SpillUserBytes(uint64_t pool_bytes);

// A spill into a level whose tables overlap by more than this many times its own bytes goes to the
// level above instead.
inline constexpr uint64_t kSpillOverlapFactor = 4;

struct SpillOptions {
  // See SpillUserBytes().
  uint64_t user_bytes_max = uint64_t{64} << 20;
  // Encoded internal keys, or empty: VersionSet::group_pointers().
  std::array<std::string, kGroupLevels> pointers;
  // Levels of the group that a merge waits for: nothing is taken from there.
  std::array<bool, kGroupLevels> awaited{};
  // What is running. Not owned.
  const Reservations* running = nullptr;
};

// Whether to spill, when `use` of the pool is taken (0 to 1). Once begun, a spill goes on below
// `start` down to `stop`.
inline bool SpillIsDue(double use, bool has_begun, double start, double stop) {
  return use >= start || (has_begun && use > stop);
}

// Returns what to spill next, if there is anything that can start now.
// REQUIRES: the database mutex is held (for the reservations).
std::optional<SpillPlan> PickSpill(const VersionPtr& version, const SpillOptions& options);

struct ManualSpillPick {
  enum Outcome {
    kNothingToDo,  // no tree lies over a table in the range
    kBusy,         // ask again when a running job has ended
    kPlan,         // `plan` is set
  };
  Outcome outcome = kNothingToDo;
  std::optional<SpillPlan> plan;
};

// Returns the next step of a spill of those trees that lie over tables in the range: what is
// overwritten or deleted there goes only when both meet. The next step begins behind the user key
// of the plan's group_pointer. `awaited` and `pointers` of the options do not matter.
// REQUIRES: range.level > 0; the database mutex is held.
ManualSpillPick PickManualSpill(const VersionPtr& version, const SpillOptions& options,
                                const ManualRange& range);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_SPILL_PICKER_H_
