#include "db/decide/compaction_picker.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>
#include <vector>

#include "db/decide/plan_builder.h"
#include "db/version/level_search.h"

namespace leveldb {

namespace {

PlanBuilder BuilderFor(const VersionPtr& version, const PickerOptions& options) {
  return PlanBuilder(version, options.max_file_size, options.running);
}

// Returns the score of the level without the files that running jobs take away. Level 0 comes
// before all others once it delays writers: no deeper level ever does.
double Urgency(const Version& version, const PickerOptions& options, int level) {
  const int files = version.num_files(level) - options.running->FilesLeaving(level);
  const uint64_t bytes = version.level_bytes(level) - options.running->BytesLeaving(level);
  if (level == 0 && DepthOfTables(files) >= kLevel0SlowdownDepth) {
    return std::numeric_limits<double>::infinity();
  }
  return LevelScore(level, files, bytes, version.shape().level1_bytes);
}

// Returns the levels that are too full, the most urgent first.
std::vector<int> LevelsToCompact(const Version& version, const PickerOptions& options) {
  std::vector<std::pair<double, int>> full;
  for (int level = 0; level < kNumLevels - 1; level++) {
    const double urgency = Urgency(version, options, level);
    if (urgency >= 1) full.emplace_back(-urgency, level);
  }
  std::sort(full.begin(), full.end());
  std::vector<int> levels;
  for (const auto& [negative_urgency, level] : full) levels.push_back(level);
  return levels;
}

// Returns the index of the first file of a sorted level after the compaction pointer; 0 if there is
// none.
size_t FirstBehindPointer(const Version& version, int level, const std::string& pointer) {
  if (pointer.empty()) return 0;
  const LevelFiles& files = version.level(level);
  size_t index = FindFile(*version.comparator(), files, pointer);
  const bool is_at_pointer =
      index < files.size() && version.comparator()->Compare(files.largest(index), pointer) == 0;
  if (is_at_pointer) index++;
  return index < files.size() ? index : 0;
}

// Tries the files of the level in turn: at level 0 the oldest first, at the others in key order
// from the compaction pointer on, cyclically.
std::optional<CompactionPlan> PickInLevel(const VersionPtr& version, const PickerOptions& options,
                                          int level) {
  const PlanBuilder builder = BuilderFor(version, options);
  const std::vector<FileMetaPtr>& files = version->files(level);
  const size_t first =
      level == 0 ? 0 : FirstBehindPointer(*version, level, options.compact_pointers[level]);
  for (size_t i = 0; i < files.size(); i++) {
    const FileMetaPtr& file =
        level == 0 ? files[files.size() - 1 - i] : files[(first + i) % files.size()];
    if (file->being_compacted) continue;
    std::optional<CompactionPlan> plan = builder.Build(level, {file}, CompactionReason::kSize);
    if (plan.has_value()) return plan;
  }
  return std::nullopt;
}

// Returns whether `level` cannot be compacted because jobs have taken files of the level below. It
// would wait forever if further such jobs followed them.
bool WaitsForLevelBelow(const Reservations& running, int level) {
  return !running.CompactsFrom(level) && running.CompactsFrom(level + 1);
}

// Sets in *awaited the levels that no job may take files from because the level above waits for
// them.
std::optional<CompactionPlan> PickBySize(const VersionPtr& version, const PickerOptions& options,
                                         std::array<bool, kNumLevels>* awaited) {
  for (const int level : LevelsToCompact(*version, options)) {
    if ((*awaited)[level]) continue;
    std::optional<CompactionPlan> plan = PickInLevel(version, options, level);
    if (plan.has_value()) return plan;
    if (WaitsForLevelBelow(*options.running, level)) (*awaited)[level + 1] = true;
  }
  return std::nullopt;
}

std::optional<CompactionPlan> PickBySeeks(const VersionPtr& version, const PickerOptions& options,
                                          const SeekHint& hint) {
  if (hint.level >= kNumLevels - 1 || hint.file->being_compacted) return std::nullopt;
  if (!version->Contains(hint.level, hint.file->number)) return std::nullopt;
  return BuilderFor(version, options).Build(hint.level, {hint.file}, CompactionReason::kSeek);
}

std::vector<FileMetaPtr> FilesInRange(const Version& version, const ManualRange& range) {
  Slice begin;
  Slice end;
  if (range.begin.has_value()) begin = *range.begin;
  if (range.end.has_value()) end = *range.end;
  std::vector<FileMetaPtr> files =
      version.OverlappingUserRange(range.level, range.begin.has_value() ? &begin : nullptr,
                                   range.end.has_value() ? &end : nullptr);
  if (range.begin.has_value() && range.begin_is_exclusive) {
    std::erase_if(files, [&](const FileMetaPtr& file) {
      return version.comparator()->CompareUserKeys(file->largest.user_key(), begin) <= 0;
    });
  }
  return files;
}

// Returns how many of `files` make one step: up to and including the one that completes
// max_file_size.
size_t FilesOfOneStep(const std::vector<FileMetaPtr>& files, uint64_t max_file_size) {
  uint64_t bytes = 0;
  size_t count = 0;
  while (count < files.size() && bytes < max_file_size) bytes += files[count++]->size;
  return count;
}

}  // namespace

std::optional<CompactionPlan> PickCompaction(const VersionPtr& version,
                                             const PickerOptions& options, const SeekHint* hint) {
  assert(options.running != nullptr);
  assert(options.max_file_size > 0);
  std::array<bool, kNumLevels> awaited{};
  std::optional<CompactionPlan> plan = PickBySize(version, options, &awaited);
  if (!plan.has_value() && hint != nullptr && !awaited[hint->level]) {
    plan = PickBySeeks(version, options, *hint);
  }
  return plan;
}

ManualPick PickRange(const VersionPtr& version, const PickerOptions& options,
                     const ManualRange& range) {
  assert(range.level < kNumLevels - 1);
  ManualPick pick;
  std::vector<FileMetaPtr> files = FilesInRange(*version, range);
  if (files.empty()) return pick;
  const FileMetaPtr last = files.back();
  // Level 0 can't be divided into steps: its files overlap.
  if (range.level > 0) files.resize(FilesOfOneStep(files, options.max_file_size));
  pick.plan =
      BuilderFor(version, options).Build(range.level, std::move(files), CompactionReason::kManual);
  if (!pick.plan.has_value()) {
    pick.outcome = ManualPick::kBusy;
    return pick;
  }
  pick.outcome = ManualPick::kPlan;
  const bool more_files = range.level > 0 && version->comparator()->Compare(
                                                 pick.plan->compact_pointer, last->largest) < 0;
  if (more_files) pick.plan->continue_after = pick.plan->compact_pointer.user_key().ToString();
  return pick;
}

int MemtableOutputLevel(const Version& version, const PickerOptions& options,
                        const Slice& smallest_user_key, const Slice& largest_user_key) {
  if (version.OverlapInLevel(0, &smallest_user_key, &largest_user_key)) return 0;
  int level = 0;
  while (level < kMaxMemtableLevel) {
    const int next = level + 1;
    if (version.OverlapInLevel(next, &smallest_user_key, &largest_user_key)) break;
    if (options.running->OutputOverlaps(next, smallest_user_key, largest_user_key)) break;
    const uint64_t overlap_bytes =
        TotalBytes(version.OverlappingUserRange(next + 1, &smallest_user_key, &largest_user_key));
    if (overlap_bytes > MaxGrandparentOverlapBytes(options.max_file_size)) break;
    level = next;
  }
  return level;
}

}  // namespace leveldb
