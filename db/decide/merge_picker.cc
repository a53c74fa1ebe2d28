#include "db/decide/merge_picker.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>
#include <vector>

#include "db/decide/tree_range.h"
#include "db/version/level_limits.h"

namespace leveldb {

namespace {

// Before the first flush, the unit of a level's target is its largest tree, but at least this.
constexpr uint64_t kMinFlushedLeafBytes = uint64_t{64} << 10;

// Merged leaves can be larger than those of the inputs by 1 / kGrowthPart.
constexpr uint64_t kGrowthPart = 8;

class MergePlanner {
 public:
  MergePlanner(const VersionPtr& version, const MergeOptions& options)
      : version_(version),
        group_(*version->group()),
        comparator_(group_.comparator()),
        options_(options),
        running_(*options.running) {}

  // Returns the plan that merges the seeds, to which their level has nothing to add; nothing if
  // that conflicts with running jobs.
  std::optional<MergePlan> Build(int level, TreeList seeds, MergeReason reason) const {
    if (AnyBusy(seeds)) return std::nullopt;
    MergePlan plan;
    plan.version = version_;
    plan.level = level;
    plan.output_level = level + 1;
    plan.reason = reason;
    plan.inputs[0] = std::move(seeds);
    UserKeyRange range = Cover(comparator_, plan.inputs[0]);
    plan.inputs[1] = group_.Overlapping(plan.output_level, &range.smallest, &range.largest);
    if (AnyBusy(plan.inputs[1])) return std::nullopt;
    if (!plan.inputs[1].empty()) range.Include(comparator_, Cover(comparator_, plan.inputs[1]));
    if (running_.TreesOverlap(plan.output_level, range.smallest, range.largest)) {
      return std::nullopt;
    }
    plan.smallest_user_key = range.smallest.ToString();
    plan.largest_user_key = range.largest.ToString();
    plan.group_pointer = plan.inputs[0][0]->record().largest;
    for (const TreePtr& tree : plan.inputs[0]) {
      if (comparator_.Compare(tree->record().largest, plan.group_pointer) > 0) {
        plan.group_pointer = tree->record().largest;
      }
    }
    plan.is_trivial_move =
        reason != MergeReason::kManual && plan.inputs[0].size() == 1 && plan.inputs[1].empty();
    return plan;
  }

  bool Fits(const MergePlan& plan) const {
    return plan.is_trivial_move || MergeBytesNeeded(plan, options_) <= options_.free_bytes;
  }

  // Returns a plan for level 0: the oldest tree that can be merged, with the trees that have to
  // move with it, and newer ones that overlap, in order of age. Sets *too_large to the first plan
  // for which there was no room.
  std::optional<MergePlan> BuildFromLevel0(MergeReason reason,
                                           std::optional<MergePlan>* too_large) const {
    // A second job over level 0 would have to wait for the first one at every step anyway.
    if (running_.MergesFrom(0)) return std::nullopt;
    const TreeList& trees = group_.trees(0);
    for (size_t i = trees.size(); i-- > 0;) {
      std::vector<bool> taken(trees.size());
      TakeWithOlder(comparator_, trees, i, &taken);
      std::optional<MergePlan> plan = Build(0, Marked(trees, taken), reason);
      if (!plan.has_value()) continue;
      if (!Fits(*plan)) {
        if (!too_large->has_value()) *too_large = std::move(plan);
        continue;
      }
      for (size_t newer = i; newer-- > 0;) {
        if (!AddNewer(trees, newer, &taken, &*plan)) break;
      }
      return plan;
    }
    return std::nullopt;
  }

  std::optional<MergePlan> BuildFromLevel(int level, std::optional<MergePlan>* too_large) const {
    const TreeList& trees = group_.trees(level);
    const size_t first = FirstBehindPointer(level);
    for (size_t i = 0; i < trees.size(); i++) {
      std::optional<MergePlan> plan =
          Build(level, {trees[(first + i) % trees.size()]}, MergeReason::kSize);
      if (!plan.has_value()) continue;
      if (Fits(*plan)) return plan;
      if (!too_large->has_value()) *too_large = std::move(plan);
    }
    return std::nullopt;
  }

 private:
  bool AnyBusy(const TreeList& trees) const {
    return std::any_of(trees.begin(), trees.end(),
                       [this](const TreePtr& tree) { return running_.TreeIsBusy(tree->number()); });
  }

  // Adds the tree at `index` to the plan of older trees, if it overlaps the plan. Returns false if
  // the plan would become too large, or if a tree that has to move with it is busy.
  bool AddNewer(const TreeList& trees, size_t index, std::vector<bool>* taken,
                MergePlan* plan) const {
    const UserKeyRange range{plan->smallest_user_key, plan->largest_user_key};
    if (!range.Overlaps(comparator_, RangeOf(*trees[index]))) return true;
    std::vector<bool> more = *taken;
    TakeWithOlder(comparator_, trees, index, &more);
    if (std::count(more.begin(), more.end(), true) > options_.level0_width) return false;
    std::optional<MergePlan> wider = Build(0, Marked(trees, more), plan->reason);
    if (!wider.has_value() || !Fits(*wider)) return false;
    *plan = std::move(*wider);
    *taken = std::move(more);
    return true;
  }

  // Returns the index of the first tree after the group pointer; 0 if there is none.
  size_t FirstBehindPointer(int level) const {
    const std::string& pointer = options_.pointers[level];
    if (pointer.empty()) return 0;
    const TreeList& trees = group_.trees(level);
    size_t index = group_.FindTree(level, pointer);
    const bool is_at_pointer =
        index < trees.size() &&
        comparator_.Compare(trees[index]->record().largest.Encode(), pointer) == 0;
    if (is_at_pointer) index++;
    return index < trees.size() ? index : 0;
  }

  const VersionPtr& version_;
  const TreeGroup& group_;
  const InternalKeyComparator& comparator_;
  const MergeOptions& options_;
  const Reservations& running_;
};

// Returns the levels that are too full, the fullest first.
std::vector<int> LevelsToMerge(const TreeGroup& group, const MergeOptions& options) {
  std::vector<std::pair<double, int>> full;
  for (int level = 0; level < kGroupLevels - 1; level++) {
    double score = GroupLevelScore(group, options, level);
    if (level == 0 && score * options.level0_trigger >= options.level0_urgent) {
      score = std::numeric_limits<double>::infinity();
    }
    if (score >= 1) full.emplace_back(-score, level);
  }
  std::sort(full.begin(), full.end());
  std::vector<int> levels;
  for (const auto& [negative_score, level] : full) levels.push_back(level);
  return levels;
}

// Returns the trees `found` of level 0, and the older ones that have to move with them.
TreeList WithOlder(const TreeGroup& group, const TreeList& found) {
  const TreeList& trees = group.trees(0);
  std::vector<bool> taken(trees.size());
  for (const TreePtr& tree : found) {
    const auto place = std::find(trees.begin(), trees.end(), tree);
    TakeWithOlder(group.comparator(), trees, static_cast<size_t>(place - trees.begin()), &taken);
  }
  return Marked(trees, taken);
}

}  // namespace

bool ReadTriggeredGoal::IsLeft(const TreeList& trees) const {
  return std::any_of(trees.begin(), trees.end(),
                     [this](const TreePtr& tree) { return tree->number() <= newest; });
}

std::optional<ReadTriggeredGoal> FindReadTriggeredGoal(const TreeGroup& group) {
  if (group.run_count() < 2) return std::nullopt;
  ReadTriggeredGoal goal{group.first_level(), 0};
  for (const TreePtr& tree : group.trees(goal.level)) {
    goal.newest = std::max(goal.newest, tree->number());
  }
  return goal;
}

uint64_t GroupLevelTarget(int level, uint64_t flushed_leaf_bytes) {
  assert(level >= 1);
  assert(level < kGroupLevels);
  uint64_t target = kGroupLevel1Trees * flushed_leaf_bytes;
  for (int above = 1; above < level; above++) target *= kGroupLevelGrowth;
  return target;
}

double GroupLevelScore(const TreeGroup& group, const MergeOptions& options, int level) {
  const TreeList& trees = group.trees(level);
  if (level == 0) {
    const auto staying = std::count_if(trees.begin(), trees.end(), [&](const TreePtr& tree) {
      return !options.running->TreeIsBusy(tree->number());
    });
    return static_cast<double>(staying) / options.level0_trigger;
  }
  if (level == kGroupLevels - 1) return 0;
  uint64_t flushed = std::max(options.flushed_leaf_bytes, kMinFlushedLeafBytes);
  uint64_t bytes = 0;
  for (const TreePtr& tree : trees) {
    if (options.flushed_leaf_bytes == 0) flushed = std::max(flushed, tree->record().leaf_bytes);
    if (!options.running->IsLeaving(tree->number())) bytes += tree->record().leaf_bytes;
  }
  return static_cast<double>(bytes) / static_cast<double>(GroupLevelTarget(level, flushed));
}

uint64_t MergeBytesNeeded(const MergePlan& plan, const MergeOptions& options) {
  const uint64_t leaf_bytes = plan.InputLeafBytes();
  const uint64_t trees = plan.inputs[0].size() + plan.inputs[1].size();
  return leaf_bytes + leaf_bytes / kGrowthPart + trees * options.extent_bytes;
}

MergePick PickMerge(const VersionPtr& version, const MergeOptions& options) {
  assert(options.running != nullptr);
  const MergePlanner planner(version, options);
  MergePick pick;
  for (const int level : LevelsToMerge(*version->group(), options)) {
    if (pick.awaited[level]) continue;
    std::optional<MergePlan> too_large;
    pick.plan = level == 0 ? planner.BuildFromLevel0(MergeReason::kSize, &too_large)
                           : planner.BuildFromLevel(level, &too_large);
    if (pick.plan.has_value()) return pick;
    if (too_large.has_value()) {
      if (pick.bytes_wanted == 0) pick.bytes_wanted = MergeBytesNeeded(*too_large, options);
    } else if (!options.running->MergesFrom(level)) {
      pick.awaited[level + 1] = true;
    }
  }
  return pick;
}

std::optional<MergePlan> PickReadTriggered(const VersionPtr& version, const MergeOptions& options,
                                           const ReadTriggeredGoal& goal) {
  const MergePlanner planner(version, options);
  const TreeList& trees = version->group()->trees(goal.level);
  if (!goal.IsLeft(trees)) return std::nullopt;
  if (goal.level == 0) {
    std::optional<MergePlan> too_large;
    return planner.BuildFromLevel0(MergeReason::kReads, &too_large);
  }
  for (const TreePtr& tree : trees) {
    if (tree->number() > goal.newest) continue;
    std::optional<MergePlan> plan = planner.Build(goal.level, {tree}, MergeReason::kReads);
    if (plan.has_value() && planner.Fits(*plan)) return plan;
  }
  return std::nullopt;
}

ManualMergePick PickManualMerge(const VersionPtr& version, const MergeOptions& options,
                                const ManualRange& range) {
  assert(range.level < kGroupLevels - 1);
  ManualMergePick pick;
  TreeList trees = TreesInRange(*version->group(), range);
  if (trees.empty()) return pick;
  const bool more_trees = range.level > 0 && trees.size() > 1;
  if (range.level == 0) {
    trees = WithOlder(*version->group(), trees);
  } else {
    trees.resize(1);
  }
  pick.outcome = ManualMergePick::kBusy;
  if (range.level == 0 && options.running->MergesFrom(0)) return pick;
  const MergePlanner planner(version, options);
  pick.plan = planner.Build(range.level, std::move(trees), MergeReason::kManual);
  if (!pick.plan.has_value()) return pick;
  if (!planner.Fits(*pick.plan)) {
    pick.outcome = ManualMergePick::kNoRoom;
    pick.bytes_wanted = MergeBytesNeeded(*pick.plan, options);
    pick.plan.reset();
    return pick;
  }
  pick.outcome = ManualMergePick::kPlan;
  if (more_trees) pick.plan->continue_after = pick.plan->group_pointer.user_key().ToString();
  return pick;
}

}  // namespace leveldb
