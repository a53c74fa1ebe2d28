// Tests a model of a store with both tiers that consists of metadata only: random writes, flushes
// to trees and to tables, merges, spills, rewrites of trees and compactions, several at a time,
// with trees and tables that are lists of entries in memory. After every few steps each key must
// read as in a plain map. Pickers, reservations, boundaries and tombstone drops have to guarantee
// this together, whichever jobs run concurrently. A run begins with tables of a time without a tier
// and ends with a drain.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "db/decide/base_level_check.h"
#include "db/decide/compaction_picker.h"
#include "db/decide/merge_picker.h"
#include "db/decide/output_cutter.h"
#include "db/decide/spill_picker.h"
#include "db/version/tree_text.h"
#include "db/version/version_builder.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "util/text.h"

namespace leveldb {
namespace {

using testkit::Dice;

constexpr uint64_t kEntryBytes = 100 << 10;
constexpr uint64_t kMaxFileSize = 1 << 20;
constexpr int kKeys = 400;
constexpr size_t kMostJobs = 5;

struct Entry {
  std::string user_key;
  SequenceNumber sequence;
  ValueType type;

  InternalKey Key() const { return InternalKey(user_key, sequence, type); }
};
using Run = std::vector<Entry>;

// A job that has been planned and not yet installed.
struct Job {
  VersionEdit edit;
  uint64_t ticket = 0;
};

struct Counts {
  int merges = 0;
  int read_triggered = 0;
  int spills = 0;
  int spills_with_level0 = 0;
  int rewrites = 0;
  int flushes_to_tables = 0;
  int jobs_in_parallel = 0;
  int tombstones_dropped_by_trees = 0;
  int tombstones_dropped_by_tables = 0;

  bool SawEverything() const {
    return merges > 10 && read_triggered > 10 && spills > 10 && spills_with_level0 > 0 &&
           rewrites > 10 && flushes_to_tables > 0 && jobs_in_parallel > 10 &&
           tombstones_dropped_by_trees > 0 && tombstones_dropped_by_tables > 10;
  }
};

class Simulation {
 public:
  Simulation(uint64_t seed, Counts* counts) : dice_(seed), counts_(*counts) {
    compaction_.max_file_size = kMaxFileSize;
    compaction_.running = &running_;
    merge_.flushed_leaf_bytes = 10 * kEntryBytes;
    merge_.extent_bytes = kEntryBytes;
    merge_.running = &running_;
    spill_.running = &running_;
  }

  void Step() {
    switch (dice_.Below(13)) {
      case 0:
      case 1:
      case 2:
        if (memtable_.empty()) WriteAndStartFlush();
        break;
      case 3:
      case 4:
        if (!memtable_.empty()) FinishFlush();
        break;
      case 5:
        if (jobs_.size() < kMostJobs && steps_without_compactions_-- <= 0) StartCompaction();
        break;
      case 6:
        if (jobs_.size() < kMostJobs) StartMerge();
        break;
      case 7:
        if (jobs_.size() < kMostJobs) StartManualMerge();
        break;
      case 8:
        if (jobs_.size() < kMostJobs && dice_.OneIn(2)) StartSpill();
        break;
      case 9:
        if (jobs_.size() < kMostJobs) StartRewrite();
        break;
      case 10:
        if (dice_.OneIn(4)) ChangeSnapshot();
        break;
      case 11:
        if (jobs_.size() < kMostJobs) StartReadTriggered();
        break;
      default:
        if (!jobs_.empty()) FinishJob(dice_.Below(jobs_.size()));
    }
  }

  // Leaves some tables at level 0, enters the tier, and pauses compactions, so that trees come to
  // lie over the tables.
  void EnterTier() {
    FinishAll();
    for (int i = 0; i < 3; i++) {
      WriteAndStartFlush();
      FinishFlush();
    }
    has_tier_ = true;
    steps_without_compactions_ = 20;
  }

  void FinishAll() {
    if (!memtable_.empty()) FinishFlush();
    while (!jobs_.empty()) FinishJob(0);
  }

  // Spills until nothing is left in the group.
  void Drain() {
    FinishAll();
    while (!version_->group()->empty()) {
      const size_t before = version_->group()->tree_count();
      StartSpill();
      FinishAll();
      ASSERT_LT(version_->group()->tree_count(), before) << version_->DebugString();
    }
  }

  void CheckAllKeys() {
    for (int i = 0; i < kKeys; i++) {
      CheckKey(KeyOf(i), sequence_);
      if (snapshot_.has_value()) CheckKey(KeyOf(i), *snapshot_);
    }
  }

 private:
  static std::string KeyOf(uint64_t i) { return "k" + NumberToString(10000 + i).substr(1); }

  void SortRun(Run* run) const {
    std::sort(run->begin(), run->end(), [this](const Entry& a, const Entry& b) {
      return comparator_.Compare(a.Key(), b.Key()) < 0;
    });
  }

  bool OverlapsGroup(const Run& run) const {
    const Slice smallest(run.front().user_key);
    const Slice largest(run.back().user_key);
    for (int level = 0; level < kGroupLevels; level++) {
      if (version_->group()->OverlapInLevel(level, &smallest, &largest)) return true;
    }
    return false;
  }

  // Writes a run of neighbouring or of scattered keys and begins to flush them. They are read
  // from the memtable until the table or tree is installed.
  void WriteAndStartFlush() {
    const bool scattered = dice_.OneIn(2);
    const uint64_t first = dice_.Below(kKeys);
    Run run;
    for (uint64_t i = dice_.Between(1, 20); i > 0; i--) {
      const uint64_t key = scattered ? dice_.Below(kKeys) : (first + i) % kKeys;
      const ValueType type = dice_.OneIn(3) ? kTypeDeletion : kTypeValue;
      run.push_back({KeyOf(key), ++sequence_, type});
      history_[KeyOf(key)].push_back(run.back());
    }
    SortRun(&run);
    memtable_ = run;
    flush_to_table_ = !has_tier_ || (!OverlapsGroup(run) && dice_.OneIn(2));
  }

  // As in FlushJob: the level of a table is chosen when it is installed.
  void FinishFlush() {
    VersionEdit edit;
    if (flush_to_table_) {
      if (has_tier_) counts_.flushes_to_tables++;
      const int level = MemtableOutputLevel(*version_, compaction_, memtable_.front().user_key,
                                            memtable_.back().user_key);
      AddTable(level, memtable_, &edit);
    } else {
      AddTree(0, memtable_, &edit);
    }
    Install(edit);
    memtable_.clear();
  }

  // A read needs the newest version at or below the snapshot; every newer version is kept, too.
  void ChangeSnapshot() {
    while (!jobs_.empty()) FinishJob(0);  // jobs remember the snapshot that they started with
    snapshot_ = snapshot_.has_value() ? std::nullopt : std::optional(sequence_);
  }

  void AddJob(Job job) {
    jobs_.push_back(std::move(job));
    if (jobs_.size() > 1) counts_.jobs_in_parallel++;
  }

  void FinishJob(size_t index) {
    Job job = std::move(jobs_[index]);
    jobs_.erase(jobs_.begin() + static_cast<ptrdiff_t>(index));
    Install(job.edit);
    running_.Release(job.ticket);
  }

  void StartCompaction() {
    std::optional<CompactionPlan> plan = PickCompaction(version_, compaction_, nullptr);
    if (!plan.has_value()) {
      ManualRange range;
      range.level = static_cast<int>(dice_.Below(kNumLevels - 1));
      plan = PickRange(version_, compaction_, range).plan;
    }
    if (!plan.has_value()) return;
    Job job;
    job.ticket = running_.Reserve(*plan);
    if (plan->is_trivial_move) {
      plan->AddMoveTo(&job.edit);
    } else {
      plan->AddInputsTo(&job.edit);
      Run input;
      for (const std::vector<FileMetaPtr>& files : plan->inputs) AppendFiles(files, &input);
      WriteTables(input, plan->grandparents, plan->version, plan->output_level, &job.edit);
    }
    AddJob(std::move(job));
  }

  void StartMerge() {
    merge_.level0_trigger = static_cast<int>(dice_.Between(1, 4));
    merge_.free_bytes = dice_.OneIn(3) ? dice_.Below(60) * kEntryBytes : UINT64_MAX;
    StartMerge(PickMerge(version_, merge_).plan);
  }

  void StartManualMerge() {
    ManualRange range;
    range.level = static_cast<int>(dice_.Below(kGroupLevels - 1));
    if (!dice_.OneIn(3)) range.begin = KeyOf(dice_.Below(kKeys));
    if (!dice_.OneIn(3)) range.end = KeyOf(dice_.Below(kKeys));
    if (range.begin.has_value() && range.end.has_value() && *range.begin > *range.end) return;
    range.begin_is_exclusive = range.level > 0 && dice_.OneIn(2);
    StartMerge(PickManualMerge(version_, merge_, range).plan);
  }

  void StartReadTriggered() {
    if (!read_triggered_goal_.has_value() || dice_.OneIn(3))
      read_triggered_goal_ = FindReadTriggeredGoal(*version_->group());
    if (!read_triggered_goal_.has_value()) return;
    const std::optional<MergePlan> plan =
        PickReadTriggered(version_, merge_, *read_triggered_goal_);
    if (plan.has_value()) counts_.read_triggered++;
    StartMerge(plan);
  }

  void StartMerge(const std::optional<MergePlan>& plan) {
    if (!plan.has_value()) return;
    counts_.merges++;
    Job job;
    job.ticket = running_.Reserve(*plan);
    if (plan->is_trivial_move) {
      plan->AddMoveTo(&job.edit);
    } else {
      plan->AddInputsTo(&job.edit);
      Run input;
      for (const TreeList& trees : plan->inputs) AppendTrees(trees, &input);
      WriteTrees(input, plan->version, plan->output_level, &job.edit);
    }
    AddJob(std::move(job));
  }

  void StartSpill() {
    const std::optional<SpillPlan> plan = PickSpill(version_, spill_);
    if (!plan.has_value()) return;
    counts_.spills++;
    if (!plan->level0.empty()) counts_.spills_with_level0++;
    Job job;
    job.ticket = running_.Reserve(*plan);
    plan->AddInputsTo(&job.edit);
    Run input;
    for (const TreeList& trees : plan->trees) AppendTrees(trees, &input);
    AppendFiles(plan->level0, &input);
    AppendFiles(plan->overlapped, &input);
    WriteTables(input, plan->grandparents, plan->version, plan->output_level, &job.edit);
    AddJob(std::move(job));
  }

  // Rewrites a tree as value-log garbage collection does.
  void StartRewrite() {
    const int level = static_cast<int>(dice_.Between(1, kGroupLevels - 1));
    const TreeList& trees = version_->group()->trees(level);
    if (trees.empty()) return;
    const TreePtr& tree = trees[dice_.Below(trees.size())];
    if (running_.TreeIsBusy(tree->number())) return;
    counts_.rewrites++;
    Job job;
    job.ticket = running_.ReserveRewrite(level, tree);
    job.edit.pmem().RemoveTree(level, tree->number());
    AddTree(level, runs_.at(tree->number()), &job.edit);
    AddJob(std::move(job));
  }

  void AppendFiles(const std::vector<FileMetaPtr>& files, Run* run) const {
    for (const FileMetaPtr& file : files) {
      const Run& table = runs_.at(file->number);
      run->insert(run->end(), table.begin(), table.end());
    }
  }

  void AppendTrees(const TreeList& trees, Run* run) const {
    for (const TreePtr& tree : trees) {
      const Run& entries = runs_.at(tree->number());
      run->insert(run->end(), entries.begin(), entries.end());
    }
  }

  // Returns the entries of the input that the visibility rule keeps.
  Run Reduced(Run input, BaseLevelCheck base_level_check, int* tombstones_dropped) const {
    SortRun(&input);
    const SequenceNumber oldest_snapshot = snapshot_.value_or(sequence_);
    Run kept;
    std::string last_user_key;
    SequenceNumber last_sequence = kMaxSequenceNumber;
    for (const Entry& entry : input) {
      if (entry.user_key != last_user_key) last_sequence = kMaxSequenceNumber;
      const bool shadowed = last_sequence <= oldest_snapshot;
      last_user_key = entry.user_key;
      last_sequence = entry.sequence;
      if (shadowed) continue;
      if (entry.type == kTypeDeletion && entry.sequence <= oldest_snapshot &&
          !base_level_check.MayContain(entry.user_key)) {
        (*tombstones_dropped)++;
        continue;
      }
      kept.push_back(entry);
    }
    return kept;
  }

  void WriteTables(const Run& input, const std::vector<FileMetaPtr>& grandparents,
                   const VersionPtr& version, int level, VersionEdit* edit) {
    OutputCutter cutter(grandparents, &comparator_, kMaxFileSize);
    Run output;
    for (const Entry& entry : Reduced(input, BaseLevelCheck::BelowTables(version, level),
                                      &counts_.tombstones_dropped_by_tables)) {
      const std::string last_key =
          output.empty() ? std::string() : output.back().Key().Encode().ToString();
      const bool cut =
          cutter.CutBefore(entry.Key().Encode(), output.size() * kEntryBytes, last_key);
      // Other implementations of the format also end tables between two versions of a key.
      if (cut || (!output.empty() && dice_.OneIn(10))) {
        AddTable(level, std::move(output), edit);
        output.clear();
      }
      output.push_back(entry);
    }
    if (!output.empty()) AddTable(level, std::move(output), edit);
  }

  void WriteTrees(const Run& input, const VersionPtr& version, int level, VersionEdit* edit) {
    Run output;
    for (const Entry& entry : Reduced(input, BaseLevelCheck::BelowTrees(version, level),
                                      &counts_.tombstones_dropped_by_trees)) {
      if (!output.empty() && output.back().user_key != entry.user_key && dice_.OneIn(8)) {
        AddTree(level, std::move(output), edit);
        output.clear();
      }
      output.push_back(entry);
    }
    if (!output.empty()) AddTree(level, std::move(output), edit);
  }

  void AddTable(int level, Run run, VersionEdit* edit) {
    const uint64_t number = next_number_++;
    edit->AddFile(level, number, run.size() * kEntryBytes, run.front().Key(), run.back().Key());
    runs_[number] = std::move(run);
  }

  void AddTree(int level, Run run, VersionEdit* edit) {
    const uint64_t number = next_number_++;
    const uint64_t bytes = run.size() * kEntryBytes;
    const TreeRecord record =
        MakeTreeRecord(number, run.front().Key(), run.back().Key(), bytes, 50 * bytes);
    edit->pmem().AddTree(level, record, MakeTree(&comparator_, record));
    runs_[number] = std::move(run);
  }

  void Install(const VersionEdit& edit) {
    VersionBuilder builder(&comparator_, version_);
    builder.Apply(edit);
    const Status status = builder.Build(&version_);
    ASSERT_TRUE(status.ok()) << status.ToString() << "\n"
                             << edit.DebugString() << version_->DebugString();
    for (const VersionEdit::CompactPointer& pointer : edit.compact_pointers()) {
      compaction_.compact_pointers[pointer.level] = pointer.key.Encode().ToString();
    }
    for (const PmemEdit::GroupPointer& pointer : edit.pmem().group_pointers()) {
      merge_.pointers[pointer.level] = pointer.key.Encode().ToString();
      spill_.pointers[pointer.level] = merge_.pointers[pointer.level];
    }
  }

  static const Entry* FindIn(const Run& run, const std::string& user_key, SequenceNumber sequence) {
    for (const Entry& entry : run) {
      if (entry.user_key == user_key && entry.sequence <= sequence) return &entry;
    }
    return nullptr;
  }

  // Returns the first entry of `user_key` at or below `sequence`, as a read finds it: tier by tier,
  // level by level.
  const Entry* Find(const std::string& user_key, SequenceNumber sequence) const {
    const Entry* found = FindIn(memtable_, user_key, sequence);
    for (int level = 0; level < kGroupLevels && found == nullptr; level++) {
      for (const TreePtr& tree : version_->group()->trees(level)) {
        found = FindIn(runs_.at(tree->number()), user_key, sequence);
        if (found != nullptr) break;
      }
    }
    for (int level = 0; level < kNumLevels && found == nullptr; level++) {
      for (const FileMetaPtr& file : version_->files(level)) {
        found = FindIn(runs_.at(file->number), user_key, sequence);
        if (found != nullptr) break;
      }
    }
    return found;
  }

  void CheckKey(const std::string& user_key, SequenceNumber sequence) const {
    const Entry* expected = nullptr;
    const auto history = history_.find(user_key);
    if (history != history_.end()) {
      for (const Entry& entry : history->second) {
        if (entry.sequence <= sequence) expected = &entry;
      }
    }
    if (expected != nullptr && expected->type == kTypeDeletion) expected = nullptr;
    const Entry* found = Find(user_key, sequence);
    if (found != nullptr && found->type == kTypeDeletion) found = nullptr;
    ASSERT_EQ(expected == nullptr ? 0 : expected->sequence, found == nullptr ? 0 : found->sequence)
        << user_key << " at " << sequence << "\n"
        << version_->DebugString();
  }

  Dice dice_;
  Counts& counts_;
  const InternalKeyComparator comparator_{BytewiseComparator()};
  Reservations running_{BytewiseComparator()};
  PickerOptions compaction_;
  MergeOptions merge_;
  std::optional<ReadTriggeredGoal> read_triggered_goal_;
  SpillOptions spill_;
  VersionPtr version_{new Version(&comparator_)};
  bool has_tier_ = false;
  int steps_without_compactions_ = 0;
  std::map<uint64_t, Run> runs_;  // of tables and trees, by number
  std::map<std::string, std::vector<Entry>> history_;
  Run memtable_;  // being flushed
  bool flush_to_table_ = false;
  std::vector<Job> jobs_;
  std::optional<SequenceNumber> snapshot_;
  SequenceNumber sequence_ = 0;
  uint64_t next_number_ = 1;
};

TEST(TierModelTest, ReadsStayRightWhileJobsOfBothTiersRunSideBySide) {
  const uint64_t first_seed = testkit::AnnouncedSeed();
  Counts counts;
  // Continues until every kind of event has occurred: occasionally four runs miss one, and would
  // not test it.
  for (uint64_t round = 0; round < 4 || (!counts.SawEverything() && round < 100); round++) {
    SCOPED_TRACE("seed " + NumberToString(first_seed + round));
    Simulation simulation(first_seed + round, &counts);
    for (int step = 0; step < testkit::Scaled(2000); step++) {
      if (step == 150) simulation.EnterTier();
      simulation.Step();
      if (step % 10 == 0) simulation.CheckAllKeys();
      if (testing::Test::HasFatalFailure()) return;
    }
    simulation.Drain();
    simulation.CheckAllKeys();
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_TRUE(counts.SawEverything());
}

}  // namespace
}  // namespace leveldb
