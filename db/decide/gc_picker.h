// Chooses the value extents that garbage collection (GC) empties, and the trees to rewrite for
// that. Pure functions.
//
// A tree keeps references to its large values; a value that no tree refers to any more is garbage.
// Extents with much garbage are collected: tree by tree, in key order, the live values are copied
// into fresh extents and the tree is rewritten. Trees of level 0 are not rewritten: a new tree
// would be the newest there. Extents that they refer to wait until they have been merged.

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

// Returns the share of garbage from which on extents are collected. `filled` (0 to 1) is the used
// part of the room that the pool has left when spills begin. The threshold falls from `gc_ratio` to
// half of it as the pool becomes full. If keys come in random order, spilled values become garbage
// in all extents evenly, and without this no extent would be freed before every one of them had
// reached `gc_ratio`.
double GcThreshold(double gc_ratio, double filled);

struct GcOptions {
  // The share of garbage from which on an extent is collected.
  double gc_ratio = 0.5;
  uint64_t extent_bytes = 0;
  // The room that the pool has left for copies.
  uint64_t free_bytes = 0;
  // Returns the number of references to an extent. An extent that more than the trees of the
  // version hold, for example the log of a memtable or an iterator, is not collected: that would
  // not free it.
  std::function<uint32_t(PoolOffset)> references;
};

// The extents that one GC run empties. A plain value.
struct GcVictims {
  // An extent, identified also by the salt in its header: the same extent may be reused before the
  // GC run is over.
  struct Victim {
    PoolOffset extent;
    uint64_t salt;
  };
  std::vector<Victim> extents;  // ascending
  uint64_t live_bytes = 0;
  uint64_t garbage_bytes = 0;

  // The garbage of all extents that are worth collecting, including those for which there is no
  // room yet.
  uint64_t all_garbage_bytes = 0;

  bool empty() const { return extents.empty(); }
  bool Contains(PoolOffset extent) const;
};

// Returns the extents that are worth collecting: those with most garbage, as far as there is room;
// none if the gain would be too small. Takes time: the caller must not hold the database mutex.
GcVictims PickVictims(const TreeGroup& group, const GcOptions& options);

// Returns the room that rewriting the tree may take in addition to the copies: its leaves, and
// partly filled extents of the tree and of the copies.
uint64_t GcStepBytes(const Tree& tree, uint64_t extent_bytes);

// Returns the bytes of the victims that are live in the tree.
uint64_t LiveBytesIn(const Tree& tree, const GcVictims& victims);

struct GcStep {
  int level = 0;
  TreePtr tree;
};

struct GcPick {
  std::optional<GcStep> step;
  bool is_over = false;  // no tree refers to a victim any more
};

// Returns the tree to rewrite next, the deepest level first; nothing if the GC run is over, or has
// to wait for running jobs.
// REQUIRES: the database mutex is held.
GcPick PickGcStep(const TreeGroup& group, const GcVictims& victims, const Reservations& running);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_GC_PICKER_H_
