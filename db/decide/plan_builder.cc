#include "db/decide/plan_builder.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/version/level_limits.h"
#include "db/version/level_search.h"

namespace leveldb {

namespace {

bool AnyBusy(const std::vector<FileMetaPtr>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const FileMetaPtr& file) { return file->being_compacted; });
}

}  // namespace

void AddContinuations(const Version& version, int level, std::vector<FileMetaPtr>* files) {
  if (level == 0 || files->empty()) return;
  const InternalKeyComparator& comparator = *version.comparator();
  const LevelFiles& all = version.level(level);
  size_t next = FindFile(comparator, all, files->back()->largest.Encode()) + 1;
  while (next < all.size() && comparator.CompareUserKeys(all[next]->smallest.user_key(),
                                                         files->back()->largest.user_key()) == 0) {
    files->push_back(all[next++]);
  }
}

PlanBuilder::PlanBuilder(VersionPtr version, uint64_t max_file_size, const Reservations* running)
    : version_(std::move(version)), max_file_size_(max_file_size), running_(running) {}

std::optional<CompactionPlan> PlanBuilder::Build(int level, std::vector<FileMetaPtr> seeds,
                                                 CompactionReason reason) const {
  assert(level < kNumLevels - 1);
  assert(!seeds.empty());
  // A second job over level 0 would have to wait for the first one at every step anyway.
  if (level == 0 && running_->CompactsFrom(0)) return std::nullopt;

  CompactionPlan plan;
  plan.version = version_;
  plan.level = level;
  plan.output_level = level + 1;
  plan.reason = reason;
  plan.inputs[0] = level == 0 ? Overlapping(0, Cover(seeds)) : std::move(seeds);
  AddContinuations(*version_, level, &plan.inputs[0]);
  if (AnyBusy(plan.inputs[0])) return std::nullopt;
  plan.inputs[1] = Overlapping(plan.output_level, Cover(plan.inputs[0]));
  AddContinuations(*version_, plan.output_level, &plan.inputs[1]);
  if (AnyBusy(plan.inputs[1])) return std::nullopt;
  Widen(&plan);
  Describe(&plan);
  if (running_->OutputOverlaps(plan.output_level, plan.smallest_user_key, plan.largest_user_key)) {
    return std::nullopt;
  }
  return plan;
}

PlanBuilder::UserKeys PlanBuilder::Cover(const std::vector<FileMetaPtr>& files) const {
  const InternalKeyComparator& comparator = *version_->comparator();
  UserKeys range{files[0]->smallest.user_key(), files[0]->largest.user_key()};
  for (const FileMetaPtr& file : files) {
    const Slice smallest = file->smallest.user_key();
    const Slice largest = file->largest.user_key();
    if (comparator.CompareUserKeys(smallest, range.smallest) < 0) range.smallest = smallest;
    if (comparator.CompareUserKeys(largest, range.largest) > 0) range.largest = largest;
  }
  return range;
}

PlanBuilder::UserKeys PlanBuilder::Cover(const CompactionPlan& plan) const {
  std::vector<FileMetaPtr> all = plan.inputs[0];
  all.insert(all.end(), plan.inputs[1].begin(), plan.inputs[1].end());
  return Cover(all);
}

std::vector<FileMetaPtr> PlanBuilder::Overlapping(int level, const UserKeys& range) const {
  return version_->OverlappingUserRange(level, &range.smallest, &range.largest);
}

// Adds the further files of the level that fall into the range of the next level's inputs, which
// are rewritten anyway, unless that would add more of these, make the job too large, or conflict
// with a running job.
void PlanBuilder::Widen(CompactionPlan* plan) const {
  std::vector<FileMetaPtr> wider = Overlapping(plan->level, Cover(*plan));
  AddContinuations(*version_, plan->level, &wider);
  if (wider.size() <= plan->inputs[0].size() || AnyBusy(wider)) return;
  if (TotalBytes(wider) + TotalBytes(plan->inputs[1]) >= MaxExpandedInputBytes(max_file_size_)) {
    return;
  }
  std::vector<FileMetaPtr> wider_below = Overlapping(plan->output_level, Cover(wider));
  AddContinuations(*version_, plan->output_level, &wider_below);
  if (wider_below.size() == plan->inputs[1].size()) plan->inputs[0] = std::move(wider);
}

void PlanBuilder::Describe(CompactionPlan* plan) const {
  const UserKeys range = Cover(*plan);
  plan->smallest_user_key = range.smallest.ToString();
  plan->largest_user_key = range.largest.ToString();
  plan->compact_pointer = plan->inputs[0][0]->largest;
  for (const FileMetaPtr& file : plan->inputs[0]) {
    if (version_->comparator()->Compare(file->largest, plan->compact_pointer) > 0) {
      plan->compact_pointer = file->largest;
    }
  }
  if (plan->output_level + 1 < kNumLevels) {
    plan->grandparents = Overlapping(plan->output_level + 1, range);
  }
  plan->is_trivial_move = IsTrivialMove(*plan);
}

// Returns whether to move the input as it is. Moving a table that overlaps much of the level after
// the next would only defer the work and make it larger. A manual compaction must rewrite.
bool PlanBuilder::IsTrivialMove(const CompactionPlan& plan) const {
  return plan.reason != CompactionReason::kManual && plan.inputs[0].size() == 1 &&
         plan.inputs[1].empty() &&
         TotalBytes(plan.grandparents) <= MaxGrandparentOverlapBytes(max_file_size_);
}

}  // namespace leveldb
