// Chooses value extents to empty, and the trees to do it by. Pure functions.
//
// A tree keeps references to its large values; a value that no tree refers to any more is garbage.
// Extents with much of it are swept: tree by tree, in key order, what is still live is copied into
// fresh extents and the tree is written anew. Trees of level 0 are left alone: a new tree would be
// the newest there. What they refer to waits until they have been merged.

#ifndef BUSHSTORE_DB_DECIDE_GC_PICKER_H_
#define BUSHSTORE_DB_DECIDE_GC_PICKER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "db/decide/reservations.h"
#include "db/version/version.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// From which share of garbage on extents are swept, when `filled` of the part of the pool that is
// left when spills begin is taken (0 to 1): from `gc_ratio` on, and down to half of it the closer
// the pool comes to its end. Where keys come in random order, what is spilled becomes garbage in
// all extents alike, and none of it would be free before every one of them had come to `gc_ratio`.
double GcThreshold(double gc_ratio, double filled);

struct GcOptions {
  // From which share of garbage on an extent is swept.
  double gc_ratio = 0.5;
  uint64_t extent_bytes = 0;
  // What the pool has left for copies.
  uint64_t free_bytes = 0;
  // The references on an extent. One that is held by more than the trees of the version, as by the
  // log of a memtable or by an iterator, is not swept: that would not free it.
  std::function<uint32_t(PoolOffset)> references;
};

// The extents of one sweep. A plain value.
struct GcVictims {
  // By the salts in their headers, too: the same extent may be used again before the sweep is over.
  struct Victim {
    PoolOffset extent;
    uint64_t salt;
  };
  std::vector<Victim> extents;  // ascending
  uint64_t live_bytes = 0;
  uint64_t garbage_bytes = 0;

  // Of all extents that are worth a sweep, those included that there is no room for yet.
  uint64_t all_garbage_bytes = 0;

  bool empty() const { return extents.empty(); }
  bool Contains(PoolOffset extent) const;
};

// Returns the extents that are worth a sweep, the worst first as far as there is room; none if too
// little would come of it. Takes time: do not hold the database mutex.
GcVictims PickVictims(const TreeGroup& group, const GcOptions& options);

// What rewriting the tree may take besides the copies: its leaves, and extents of the tree and of
// the copies that are not full.
uint64_t GcStepBytes(const Tree& tree, uint64_t extent_bytes);

// The bytes of the victims that are live in the tree.
uint64_t LiveBytesIn(const Tree& tree, const GcVictims& victims);

struct GcStep {
  int level = 0;
  TreePtr tree;
};

struct GcPick {
  std::optional<GcStep> step;
  bool is_over = false;  // no tree refers to a victim any more
};

// Returns the tree to write anew next, the deepest level first; nothing if the sweep is over, or
// has to wait for running jobs. REQUIRES: the database mutex is held.
GcPick PickGcStep(const TreeGroup& group, const GcVictims& victims, const Reservations& running);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_GC_PICKER_H_
