#include "db/decide/spill_picker.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "db/decide/plan_builder.h"
#include "db/decide/tree_range.h"
#include "db/version/level_limits.h"

namespace leveldb {

namespace {

class SpillPlanner {
 public:
  SpillPlanner(const VersionPtr& version, const SpillOptions& options)
      : version_(version),
        group_(*version->group()),
        comparator_(group_.comparator()),
        options_(options),
        running_(*options.running) {}

  std::optional<SpillPlan> Pick() const {
    for (int level = kGroupLevels - 1; level >= 0; level--) {
      if (options_.awaited[level]) continue;
      const size_t trees = group_.trees(level).size();
      for (size_t turn = 0; turn < trees; turn++) {
        std::optional<SpillPlan> plan = Build(level, IndexOfTurn(level, turn), nullptr);
        if (plan.has_value()) return plan;
      }
    }
    return std::nullopt;
  }

  ManualSpillPick PickManual(const ManualRange& range) const {
    ManualSpillPick pick;
    TreeList wanted = TreesInRange(group_, range);
    std::erase_if(wanted, [&](const TreePtr& tree) { return !LiesOverTables(*tree, range); });
    if (wanted.empty()) return pick;
    const TreeList& all = group_.trees(range.level);
    const auto first = std::find(all.begin(), all.end(), wanted.front());
    pick.plan = Build(range.level, static_cast<size_t>(first - all.begin()), &wanted);
    pick.outcome = pick.plan.has_value() ? ManualSpillPick::kPlan : ManualSpillPick::kBusy;
    return pick;
  }

 private:
  // Returns whether the part of the tree that is in the range overlaps a table.
  bool LiesOverTables(const Tree& tree, const ManualRange& range) const {
    UserKeyRange part = RangeOf(tree);
    bool begins_behind = false;  // part.smallest itself is not in the part
    if (range.begin.has_value() && comparator_.CompareUserKeys(*range.begin, part.smallest) >= 0) {
      part.smallest = *range.begin;
      begins_behind = range.begin_is_exclusive;
    }
    if (range.end.has_value() && comparator_.CompareUserKeys(*range.end, part.largest) < 0) {
      part.largest = *range.end;
    }
    for (int level = 0; level < kNumLevels; level++) {
      if (!version_->OverlapInLevel(level, &part.smallest, &part.largest)) continue;
      if (!begins_behind || ReachesBehind(level, part)) return true;
    }
    return false;
  }

  // Returns whether a table of `level` may have keys in `part` that are greater than part.smallest.
  bool ReachesBehind(int level, const UserKeyRange& part) const {
    const std::vector<FileMetaPtr>& files = version_->files(level);
    return std::any_of(files.begin(), files.end(), [&](const FileMetaPtr& file) {
      return comparator_.CompareUserKeys(file->largest.user_key(), part.smallest) > 0 &&
             comparator_.CompareUserKeys(file->smallest.user_key(), part.largest) <= 0;
    });
  }

  // Returns the index of the tree at position `turn`: at level 0 the oldest comes first, at the
  // others the order is by key from the group pointer on, cyclically.
  size_t IndexOfTurn(int level, size_t turn) const {
    const TreeList& trees = group_.trees(level);
    if (level == 0) return trees.size() - 1 - turn;
    return (FirstBehindPointer(level) + turn) % trees.size();
  }

  size_t FirstBehindPointer(int level) const {
    const std::string& pointer = options_.pointers[level];
    if (pointer.empty()) return 0;
    const TreeList& trees = group_.trees(level);
    size_t index = group_.FindTree(level, pointer);
    if (index < trees.size() &&
        comparator_.Compare(trees[index]->record().largest.Encode(), pointer) == 0) {
      index++;
    }
    return index < trees.size() ? index : 0;
  }

  // Returns the plan for the tree and, as far as possible, for its neighbours that are among those
  // wanted (null: all are).
  std::optional<SpillPlan> Build(int level, size_t index, const TreeList* wanted) const {
    TreeLevels trees;
    if (!Close(level, index, &trees)) return std::nullopt;
    // First the plan for one tree; then with neighbours, as long as that is possible.
    std::optional<SpillPlan> plan = AddTables(level, trees);
    if (!plan.has_value()) return plan;
    const int step = level == 0 ? -1 : 1;
    for (ptrdiff_t next = static_cast<ptrdiff_t>(index) + step;
         next >= 0 && next < static_cast<ptrdiff_t>(group_.trees(level).size()); next += step) {
      const TreePtr& neighbour = group_.trees(level)[static_cast<size_t>(next)];
      if (wanted != nullptr && std::count(wanted->begin(), wanted->end(), neighbour) == 0) break;
      TreeLevels more = trees;
      if (!Close(level, static_cast<size_t>(next), &more)) break;
      if (TotalUserBytes(more) > options_.user_bytes_max) break;
      std::optional<SpillPlan> wider = AddTables(level, more);
      if (!wider.has_value()) break;
      trees = std::move(more);
      plan = std::move(wider);
    }
    return plan;
  }

  // Adds the tree, and every older one of the group that overlaps it, or overlaps one that does.
  // Returns false if one of them is busy, or is in a level that a merge waits for.
  bool Close(int level, size_t index, TreeLevels* trees) const {
    std::vector<bool> taken(group_.trees(level).size());
    for (const TreePtr& tree : (*trees)[level]) {
      const TreeList& all = group_.trees(level);
      taken[static_cast<size_t>(std::find(all.begin(), all.end(), tree) - all.begin())] = true;
    }
    if (level == 0) {
      TakeWithOlder(comparator_, group_.trees(0), index, &taken);
    } else {
      taken[index] = true;
    }
    (*trees)[level] = Marked(group_.trees(level), taken);
    for (int deeper = level + 1; deeper < kGroupLevels; deeper++) {
      (*trees)[deeper] = OverlappingAny(deeper, *trees);
      if (options_.awaited[deeper] && !(*trees)[deeper].empty()) return false;
    }
    for (const TreeList& list : *trees) {
      for (const TreePtr& tree : list) {
        if (running_.TreeIsBusy(tree->number())) return false;
      }
    }
    return true;
  }

  // The trees of `level` that overlap one of `trees` from a level above.
  TreeList OverlappingAny(int level, const TreeLevels& trees) const {
    const TreeList& all = group_.trees(level);
    std::vector<bool> taken(all.size());
    for (size_t i = 0; i < all.size(); i++) {
      for (int above = 0; above < level && !taken[i]; above++) {
        taken[i] = std::any_of(trees[above].begin(), trees[above].end(), [&](const TreePtr& tree) {
          return RangeOf(*tree).Overlaps(comparator_, RangeOf(*all[i]));
        });
      }
    }
    return Marked(all, taken);
  }

  static uint64_t TotalUserBytes(const TreeLevels& trees) {
    uint64_t bytes = 0;
    for (const TreeList& list : trees) bytes += UserBytes(list);
    return bytes;
  }

  // Returns the plan for `trees`, completed with tables; nothing if that conflicts with running
  // jobs.
  std::optional<SpillPlan> AddTables(int level, const TreeLevels& trees) const {
    SpillPlan plan;
    plan.version = version_;
    plan.trees = trees;
    plan.group_level = level;
    UserKeyRange range = CoverAll(trees);
    if (!AddLevel0(&plan, &range)) return std::nullopt;
    if (!ChooseOutputLevel(&plan, &range)) return std::nullopt;
    plan.smallest_user_key = range.smallest.ToString();
    plan.largest_user_key = range.largest.ToString();
    if (running_.OutputOverlaps(plan.output_level, range.smallest, range.largest)) {
      return std::nullopt;
    }
    if (plan.output_level + 1 < kNumLevels) {
      plan.grandparents =
          version_->OverlappingUserRange(plan.output_level + 1, &range.smallest, &range.largest);
    }
    plan.group_pointer = trees[level][0]->record().largest;
    for (const TreePtr& tree : trees[level]) {
      if (comparator_.Compare(tree->record().largest, plan.group_pointer) > 0) {
        plan.group_pointer = tree->record().largest;
      }
    }
    return plan;
  }

  UserKeyRange CoverAll(const TreeLevels& trees) const {
    TreeList all;
    for (const TreeList& list : trees) all.insert(all.end(), list.begin(), list.end());
    return Cover(comparator_, all);
  }

  bool AddLevel0(SpillPlan* plan, UserKeyRange* range) const {
    plan->level0 = version_->OverlappingUserRange(0, &range->smallest, &range->largest);
    return IncludeFiles(plan->level0, range);
  }

  // Chooses the first level below level 0 with tables that overlap, or the level above it. The
  // tables of level 0 are inputs.
  bool ChooseOutputLevel(SpillPlan* plan, UserKeyRange* range) const {
    int first = 1;
    while (first < kNumLevels &&
           !version_->OverlapInLevel(first, &range->smallest, &range->largest)) {
      first++;
    }
    if (first == kNumLevels) {
      plan->output_level = kMaxMemtableLevel;
      return true;
    }
    plan->output_level = first;
    plan->overlapped = version_->OverlappingUserRange(first, &range->smallest, &range->largest);
    AddContinuations(*version_, first, &plan->overlapped);
    const uint64_t bytes = plan->InputUserBytes() + TotalBytes(plan->level0);
    if (first > 1 && TotalBytes(plan->overlapped) > kSpillOverlapFactor * bytes) {
      plan->output_level = first - 1;
      plan->overlapped.clear();
    }
    return IncludeFiles(plan->overlapped, range);
  }

  // Widens the range by the files. Returns false if one of them is busy.
  bool IncludeFiles(const std::vector<FileMetaPtr>& files, UserKeyRange* range) const {
    for (const FileMetaPtr& file : files) {
      if (file->being_compacted) return false;
      range->Include(comparator_, {file->smallest.user_key(), file->largest.user_key()});
    }
    return true;
  }

  const VersionPtr& version_;
  const TreeGroup& group_;
  const InternalKeyComparator& comparator_;
  const SpillOptions& options_;
  const Reservations& running_;
};

}  // namespace

uint64_t SpillUserBytes(uint64_t pool_bytes) {
  constexpr uint64_t kStepsPerPool = 16;
  return std::clamp(pool_bytes / kStepsPerPool, uint64_t{1} << 20, uint64_t{64} << 20);
}

std::optional<SpillPlan> PickSpill(const VersionPtr& version, const SpillOptions& options) {
  assert(options.running != nullptr);
  return SpillPlanner(version, options).Pick();
}

ManualSpillPick PickManualSpill(const VersionPtr& version, const SpillOptions& options,
                                const ManualRange& range) {
  assert(options.running != nullptr);
  assert(range.level > 0);
  return SpillPlanner(version, options).PickManual(range);
}

}  // namespace leveldb
