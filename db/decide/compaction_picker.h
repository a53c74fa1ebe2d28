// Chooses what to compact. Pure functions of a version and of the running jobs that return a plan.
//
// The level with the highest score comes first. Within a level, files take turns, starting after
// the compaction pointer. A plan takes, with a chosen file, every file that must move with it, then
// every file that overlaps at the next level, then further files of its own level if they add none
// there. If that conflicts with a running job, the next file is tried, and then the next level; but
// when a level has to wait for files of the level below it, no new job may take files from there,
// or it could wait forever.

#ifndef BUSHSTORE_DB_DECIDE_COMPACTION_PICKER_H_
#define BUSHSTORE_DB_DECIDE_COMPACTION_PICKER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "db/decide/compaction_plan.h"
#include "db/decide/manual_range.h"
#include "db/decide/reservations.h"
#include "db/version/level_limits.h"
#include "db/version/version.h"
#include "leveldb/slice.h"

namespace leveldb {

struct PickerOptions {
  uint64_t max_file_size = 0;
  // Encoded internal keys, or empty: VersionSet::compact_pointers().
  std::array<std::string, kNumLevels> compact_pointers;
  // The reservations of running jobs. Not owned.
  const Reservations* running = nullptr;
};

// A table whose allowed_seeks have run out, and the level it was read at.
struct SeekHint {
  FileMetaPtr file;
  int level = 0;
};

// Returns what to compact next, if there is anything that can start now: by size first, then for
// `hint` (null: none). A hint whose file is no longer in the version is ignored.
// REQUIRES: the database mutex is held (for the reservations).
std::optional<CompactionPlan> PickCompaction(const VersionPtr& version,
                                             const PickerOptions& options, const SeekHint* hint);

struct ManualPick {
  enum Outcome {
    kNothingToDo,  // no file of the level is in the range
    kBusy,         // try again when a running job has ended
    kPlan,         // `plan` is set
  };
  Outcome outcome = kNothingToDo;
  std::optional<CompactionPlan> plan;
};

// Returns the next step of a manual compaction into the next level. From level 1 on a step takes
// about max_file_size bytes of the level; the plan's continue_after then says where the next one
// begins (unset: the range is done). A manual plan never is a trivial move, so that it rewrites
// what it covers. REQUIRES: range.level < kNumLevels - 1; the database mutex is held.
ManualPick PickRange(const VersionPtr& version, const PickerOptions& options,
                     const ManualRange& range);

// Returns the best level for a table made from a memtable with the given user key bounds: as deep
// as kMaxMemtableLevel if nothing overlaps it on the way, no running job writes there, and it would
// not make later compactions expensive.
// REQUIRES: the database mutex is held.
int MemtableOutputLevel(const Version& version, const PickerOptions& options,
                        const Slice& smallest_user_key, const Slice& largest_user_key);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_COMPACTION_PICKER_H_
