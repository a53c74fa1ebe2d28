#include "db/decide/gc_picker.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "pmem/value/garbage.h"

namespace leveldb {

namespace {

// A GC run must free at least this fraction of the leaf bytes of the trees that it rewrites.
constexpr double kLeastGain = 0.5;

// Copies take at most 1 / kRoomPart of the free room in excess of a step's own needs: other jobs
// will need room, and the old trees are freed only with the views that hold them.
constexpr uint64_t kRoomPart = 2;

// Extents that a step may leave half empty.
constexpr uint64_t kExtentsPerStep = 8;

// The references of the group's trees to one extent.
struct Use {
  uint64_t salt = 0;
  uint32_t trees = 0;
  bool in_level0 = false;
};

std::unordered_map<PoolOffset, Use> UsesOf(const TreeGroup& group) {
  std::unordered_map<PoolOffset, Use> uses;
  for (int level = 0; level < kGroupLevels; level++) {
    for (const TreePtr& tree : group.trees(level)) {
      for (const ValueExtentUse& of_tree : tree->value_extents()) {
        Use& use = uses[of_tree.extent];
        use.salt = of_tree.salt;
        use.trees++;
        use.in_level0 = use.in_level0 || level == 0;
      }
    }
  }
  return uses;
}

// Returns the extents with enough garbage that only trees below level 0 hold, those with most
// garbage first.
std::vector<ExtentGarbage> Candidates(const TreeGroup& group,
                                      const std::unordered_map<PoolOffset, Use>& uses,
                                      const GcOptions& options) {
  GarbageTally tally(options.extent_bytes);
  for (int level = 0; level < kGroupLevels; level++) {
    for (const TreePtr& tree : group.trees(level)) tally.Add(tree->value_extents());
  }
  std::vector<ExtentGarbage> candidates = tally.Extents();
  std::erase_if(candidates, [&](const ExtentGarbage& extent) {
    const Use& use = uses.at(extent.extent);
    return extent.garbage_share < options.gc_ratio || use.in_level0 ||
           options.references(extent.extent) != use.trees;
  });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const ExtentGarbage& a, const ExtentGarbage& b) {
                     return a.garbage_share > b.garbage_share;
                   });
  return candidates;
}

uint64_t LeavesToRewrite(const TreeGroup& group, const GcVictims& victims) {
  uint64_t bytes = 0;
  for (int level = 1; level < kGroupLevels; level++) {
    for (const TreePtr& tree : group.trees(level)) {
      if (LiveBytesIn(*tree, victims) > 0) bytes += tree->record().leaf_bytes;
    }
  }
  return bytes;
}

// Returns the room for copies, if the largest possible step has its own room.
uint64_t RoomForCopies(const TreeGroup& group, const GcOptions& options) {
  uint64_t step_bytes = 0;
  for (int level = 1; level < kGroupLevels; level++) {
    for (const TreePtr& tree : group.trees(level)) {
      if (tree->value_extents().empty()) continue;
      step_bytes = std::max(step_bytes, GcStepBytes(*tree, options.extent_bytes));
    }
  }
  return (options.free_bytes - std::min(options.free_bytes, step_bytes)) / kRoomPart;
}

bool IsWorthIt(const TreeGroup& group, const GcVictims& victims, uint64_t extent_bytes) {
  // The copies fill extents, too.
  if (victims.garbage_bytes < extent_bytes) return false;
  const double cost = static_cast<double>(LeavesToRewrite(group, victims));
  return static_cast<double>(victims.garbage_bytes) >= kLeastGain * cost;
}

}  // namespace

double GcThreshold(double gc_ratio, double filled) {
  return gc_ratio * (1 - filled / 2);
}

bool GcVictims::Contains(PoolOffset extent) const {
  const auto found = std::lower_bound(extents.begin(), extents.end(), extent,
                                      [](const Victim& a, PoolOffset b) { return a.extent < b; });
  return found != extents.end() && found->extent == extent;
}

GcVictims PickVictims(const TreeGroup& group, const GcOptions& options) {
  assert(options.extent_bytes > 0);
  const std::unordered_map<PoolOffset, Use> uses = UsesOf(group);
  GcVictims victims;
  const uint64_t room = RoomForCopies(group, options);
  bool has_room = true;
  for (const ExtentGarbage& extent : Candidates(group, uses, options)) {
    const uint64_t garbage =
        options.extent_bytes - std::min(options.extent_bytes, extent.live_bytes);
    victims.all_garbage_bytes += garbage;
    has_room = has_room && victims.live_bytes + extent.live_bytes <= room;
    if (!has_room) continue;
    victims.extents.push_back({extent.extent, uses.at(extent.extent).salt});
    victims.live_bytes += extent.live_bytes;
    victims.garbage_bytes += garbage;
  }
  std::sort(victims.extents.begin(), victims.extents.end(),
            [](const auto& a, const auto& b) { return a.extent < b.extent; });
  return IsWorthIt(group, victims, options.extent_bytes) ? victims : GcVictims();
}

uint64_t GcStepBytes(const Tree& tree, uint64_t extent_bytes) {
  return tree.record().leaf_bytes + kExtentsPerStep * extent_bytes;
}

// Searches the tree's extents for each victim: there are few victims, compared with the extents of
// a large tree.
uint64_t LiveBytesIn(const Tree& tree, const GcVictims& victims) {
  uint64_t bytes = 0;
  const std::vector<ValueExtentUse>& uses = tree.value_extents();
  auto next = uses.begin();
  for (const GcVictims::Victim& victim : victims.extents) {
    next = std::lower_bound(next, uses.end(), victim.extent,
                            [](const ValueExtentUse& a, PoolOffset b) { return a.extent < b; });
    if (next == uses.end()) break;
    if (next->extent == victim.extent && next->salt == victim.salt) bytes += next->live_bytes;
  }
  return bytes;
}

GcPick PickGcStep(const TreeGroup& group, const GcVictims& victims, const Reservations& running) {
  GcPick pick;
  pick.is_over = true;
  for (int level = kGroupLevels - 1; level >= 1; level--) {
    for (const TreePtr& tree : group.trees(level)) {
      if (LiveBytesIn(*tree, victims) == 0) continue;
      pick.is_over = false;
      if (running.TreeIsBusy(tree->number())) continue;
      pick.step = GcStep{level, tree};
      return pick;
    }
  }
  return pick;
}

}  // namespace leveldb
