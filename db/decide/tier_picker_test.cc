// Runs the transcripts in testdata/. Their commands:
//
//   version                      the input lines are tables and trees (db/version/tree_text.h);
//                                resets everything else
//   options [trigger=] [width=] [flushed=64K] [free=] [extent=]   options of merges
//   pointer <group level> <key>
//   merge [as=<name>]            shows what is merged next; with a name, it starts running
//   manual <group level> [begin=] [after=] [end=] [as=]
//   goal                         sets the goal of a read-triggered compaction
//   read_triggered [as=]         shows the next step towards the last goal
//   spill [await=<group level>] [as=]
//   spillonto <group level> [begin=] [after=] [end=] [as=]   spills trees that lie over tables
//   compact [as=<name>]          shows which tables are compacted next
//   rewrite <group level> <number> as=<name>   a GC step rewrites a tree
//   flush <level> <smallest> <largest> as=<name>   reserves the output of a memtable's table
//   release <name>               a running job has ended without changes
//   deeper                       the input is a list of user keys; shows which may be below the
//                                outputs of the last plan

#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "db/decide/base_level_check.h"
#include "db/decide/compaction_picker.h"
#include "db/decide/merge_picker.h"
#include "db/decide/spill_picker.h"
#include "db/version/transcript.h"
#include "db/version/tree_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "util/text.h"

namespace leveldb {
namespace {

class World {
 public:
  World() { Restart(); }

  std::string Run(const TranscriptStep& step) {
    if (step.command == "version") return DefineVersion(step);
    if (step.command == "options") return SetOptions(step);
    if (step.command == "pointer") return SetPointer(step);
    if (step.command == "merge") return Merge(step);
    if (step.command == "manual") return Manual(step);
    if (step.command == "goal") return Goal();
    if (step.command == "read_triggered") return ReadTriggered(step);
    if (step.command == "spill") return Spill(step);
    if (step.command == "spillonto") return SpillOnto(step);
    if (step.command == "compact") return Compact(step);
    if (step.command == "rewrite") return Rewrite(step);
    if (step.command == "flush") return Flush(step);
    if (step.command == "release") return Release(step);
    if (step.command == "deeper") return Deeper(step);
    return "unknown command " + step.command;
  }

 private:
  void Restart() {
    running_ = std::make_unique<Reservations>(BytewiseComparator());
    merge_ = MergeOptions();
    merge_.flushed_leaf_bytes = 64 << 10;
    merge_.running = running_.get();
    spill_ = SpillOptions();
    spill_.running = running_.get();
    tickets_.clear();
  }

  std::string DefineVersion(const TranscriptStep& step) {
    Restart();
    version_ = ParseTieredVersion(&comparator_, step.input);
    return "ok";
  }

  std::string SetOptions(const TranscriptStep& step) {
    if (step.Has("trigger")) merge_.level0_trigger = std::stoi(step.Get("trigger"));
    if (step.Has("width")) merge_.level0_width = std::stoi(step.Get("width"));
    if (step.Has("flushed")) merge_.flushed_leaf_bytes = ParseSize(step.Get("flushed"));
    if (step.Has("free")) merge_.free_bytes = ParseSize(step.Get("free"));
    if (step.Has("extent")) merge_.extent_bytes = ParseSize(step.Get("extent"));
    return "ok";
  }

  std::string SetPointer(const TranscriptStep& step) {
    const int level = std::stoi(step.words[0]);
    merge_.pointers[level] = ParseKey(step.words[1]).Encode().ToString();
    spill_.pointers[level] = merge_.pointers[level];
    return "ok";
  }

  template <typename Plan>
  void Start(const Plan& plan, const TranscriptStep& step) {
    if (step.Has("as")) tickets_[step.Get("as")] = running_->Reserve(plan);
  }

  std::string Merge(const TranscriptStep& step) {
    MergePick pick = PickMerge(version_, merge_);
    std::string text;
    if (pick.plan.has_value()) {
      text = pick.plan->DebugString();
      Start(*pick.plan, step);
      last_.emplace(BaseLevelCheck::BelowTrees(version_, pick.plan->output_level));
    } else {
      text = pick.bytes_wanted == 0 ? "nothing"
                                    : "wants " + NumberToString(pick.bytes_wanted >> 10) + "K";
    }
    for (int level = 0; level < kGroupLevels; level++) {
      if (pick.awaited[level]) text += " awaits G" + std::to_string(level);
    }
    return text;
  }

  static ManualRange ParseRange(const TranscriptStep& step) {
    ManualRange range;
    range.level = std::stoi(step.words[0]);
    if (step.Has("begin")) range.begin = step.Get("begin");
    if (step.Has("after")) range.begin = step.Get("after");
    range.begin_is_exclusive = step.Has("after");
    if (step.Has("end")) range.end = step.Get("end");
    return range;
  }

  std::string Manual(const TranscriptStep& step) {
    const ManualMergePick pick = PickManualMerge(version_, merge_, ParseRange(step));
    switch (pick.outcome) {
      case ManualMergePick::kNothingToDo:
        return "nothing";
      case ManualMergePick::kBusy:
        return "busy";
      case ManualMergePick::kNoRoom:
        return "wants " + NumberToString(pick.bytes_wanted >> 10) + "K";
      case ManualMergePick::kPlan:
        break;
    }
    Start(*pick.plan, step);
    return pick.plan->DebugString();
  }

  std::string Goal() {
    const std::optional<ReadTriggeredGoal> goal = FindReadTriggeredGoal(*version_->group());
    if (!goal.has_value()) return "none";
    goal_ = *goal;
    return "G" + std::to_string(goal_.level) + " up to " + NumberToString(goal_.newest);
  }

  std::string ReadTriggered(const TranscriptStep& step) {
    const std::optional<MergePlan> plan = PickReadTriggered(version_, merge_, goal_);
    if (!plan.has_value()) return "nothing";
    Start(*plan, step);
    return plan->DebugString();
  }

  std::string Spill(const TranscriptStep& step) {
    SpillOptions options = spill_;
    if (step.Has("await")) options.awaited[std::stoi(step.Get("await"))] = true;
    const std::optional<SpillPlan> plan = PickSpill(version_, options);
    if (!plan.has_value()) return "nothing";
    Start(*plan, step);
    last_.emplace(BaseLevelCheck::BelowTables(version_, plan->output_level));
    std::string text = plan->DebugString();
    for (const FileMetaPtr& file : plan->grandparents) text += " ^" + NumberToString(file->number);
    return text;
  }

  std::string SpillOnto(const TranscriptStep& step) {
    const ManualSpillPick pick = PickManualSpill(version_, spill_, ParseRange(step));
    switch (pick.outcome) {
      case ManualSpillPick::kNothingToDo:
        return "nothing";
      case ManualSpillPick::kBusy:
        return "busy";
      case ManualSpillPick::kPlan:
        break;
    }
    Start(*pick.plan, step);
    return pick.plan->DebugString() + " to " + pick.plan->group_pointer.user_key().ToString();
  }

  std::string Compact(const TranscriptStep& step) {
    PickerOptions options;
    options.max_file_size = 2 << 20;
    options.running = running_.get();
    const std::optional<CompactionPlan> plan = PickCompaction(version_, options, nullptr);
    if (!plan.has_value()) return "nothing";
    Start(*plan, step);
    return plan->DebugString();
  }

  std::string Rewrite(const TranscriptStep& step) {
    const int level = std::stoi(step.words[0]);
    for (const TreePtr& tree : version_->group()->trees(level)) {
      if (tree->number() != std::stoull(step.words[1])) continue;
      tickets_[step.Get("as")] = running_->ReserveRewrite(level, tree);
      return "ok";
    }
    return "no such tree";
  }

  std::string Flush(const TranscriptStep& step) {
    tickets_[step.Get("as")] =
        running_->ReserveOutput(std::stoi(step.words[0]), step.words[1], step.words[2]);
    return "ok";
  }

  std::string Release(const TranscriptStep& step) {
    running_->Release(tickets_.at(step.words[0]));
    tickets_.erase(step.words[0]);
    return "ok";
  }

  std::string Deeper(const TranscriptStep& step) {
    BaseLevelCheck check = *last_;
    std::istringstream keys(step.input);
    std::string text;
    std::string word;
    while (keys >> word) text += word + (check.MayContain(word) ? ":maybe " : ":no ");
    text.pop_back();
    return text;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  VersionPtr version_ = ParseTieredVersion(&comparator_, "");
  MergeOptions merge_;
  ReadTriggeredGoal goal_;
  SpillOptions spill_;
  std::unique_ptr<Reservations> running_;
  std::map<std::string, uint64_t> tickets_;
  std::optional<BaseLevelCheck> last_;
};

class TierPickerTest : public testing::TestWithParam<const char*> {};

TEST_P(TierPickerTest, Transcript) {
  World world;
  RunTranscript(std::string(BUSHSTORE_TESTDATA) + "/" + GetParam(),
                [&world](const TranscriptStep& step) { return world.Run(step); });
}

INSTANTIATE_TEST_SUITE_P(All, TierPickerTest,
                         testing::Values("merge.txt", "merge_room.txt", "merge_manual.txt",
                                         "read_triggered.txt", "spill.txt", "spill_manual.txt",
                                         "spill_tables.txt", "tiers.txt"),
                         [](const testing::TestParamInfo<const char*>& test) {
                           const std::string name = test.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace leveldb
