// Runs the transcripts in testdata/. Their commands:
//
//   version                      the input lines are the version; resets everything else
//   options max_file_size=2M
//   pointer <level> <key>        the compaction pointer of a level
//   pick [as=<name>]             shows what is compacted next; with a name, it starts running
//   seek <level> <number> [as=]  the same with the hint that a table ran out of seeks
//   manual <level> [begin=] [after=] [end=] [as=]
//   flush <level> <smallest> <largest> as=<name>   reserves the output of a memtable's table
//   release <name>               a running job has ended without changes
//   memtable <smallest> <largest>
//   cut [bytes=<of each entry>]  the input is a list of keys; shows the outputs of the last plan
//   deeper                       the input is a list of user keys; shows which may be deeper

#include "db/decide/compaction_picker.h"

#include <map>
#include <memory>
#include <sstream>

#include "db/decide/base_level_check.h"
#include "db/decide/output_cutter.h"
#include "db/version/transcript.h"
#include "db/version/version_text.h"
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
    if (step.command == "pick") return Pick(step);
    if (step.command == "seek") return Seek(step);
    if (step.command == "manual") return Manual(step);
    if (step.command == "flush") return Flush(step);
    if (step.command == "release") return Release(step);
    if (step.command == "memtable") return Memtable(step);
    if (step.command == "cut") return Cut(step);
    if (step.command == "deeper") return Deeper(step);
    return "unknown command " + step.command;
  }

 private:
  void Restart() {
    options_ = PickerOptions();
    options_.max_file_size = 2 << 20;
    running_ = std::make_unique<Reservations>(BytewiseComparator());
    options_.running = running_.get();
    tickets_.clear();
  }

  std::string DefineVersion(const TranscriptStep& step) {
    Restart();
    version_ = ParseVersion(&comparator_, step.input);
    return "ok";
  }

  std::string SetOptions(const TranscriptStep& step) {
    options_.max_file_size = ParseSize(step.Get("max_file_size"));
    return "ok";
  }

  std::string SetPointer(const TranscriptStep& step) {
    options_.compact_pointers[std::stoi(step.words[0])] =
        ParseKey(step.words[1]).Encode().ToString();
    return "ok";
  }

  std::string Show(const std::optional<CompactionPlan>& plan, const TranscriptStep& step) {
    if (!plan.has_value()) return "nothing";
    last_plan_ = *plan;
    if (step.Has("as")) tickets_[step.Get("as")] = running_->Reserve(*plan);
    std::string text = plan->DebugString();
    for (const FileMetaPtr& file : plan->grandparents) text += " ^" + NumberToString(file->number);
    return text;
  }

  std::string Pick(const TranscriptStep& step) {
    return Show(PickCompaction(version_, options_, nullptr), step);
  }

  std::string Seek(const TranscriptStep& step) {
    SeekHint hint;
    hint.level = std::stoi(step.words[0]);
    const uint64_t number = std::stoull(step.words[1]);
    hint.file = std::make_shared<FileMeta>(number, 1, ParseKey("gone"), ParseKey("gone"));
    for (const FileMetaPtr& file : version_->files(hint.level)) {
      if (file->number == number) hint.file = file;
    }
    return Show(PickCompaction(version_, options_, &hint), step);
  }

  std::string Manual(const TranscriptStep& step) {
    ManualRange range;
    range.level = std::stoi(step.words[0]);
    if (step.Has("begin")) range.begin = step.Get("begin");
    if (step.Has("after")) range.begin = step.Get("after");
    range.begin_is_exclusive = step.Has("after");
    if (step.Has("end")) range.end = step.Get("end");
    const ManualPick pick = PickRange(version_, options_, range);
    if (pick.outcome == ManualPick::kBusy) return "busy";
    return Show(pick.plan, step);
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

  std::string Memtable(const TranscriptStep& step) {
    return "level " +
           std::to_string(MemtableOutputLevel(*version_, options_, step.words[0], step.words[1]));
  }

  std::string Cut(const TranscriptStep& step) {
    OutputCutter cutter(last_plan_.grandparents, &comparator_, options_.max_file_size);
    const uint64_t entry_bytes = step.Has("bytes") ? ParseSize(step.Get("bytes")) : 1;
    std::istringstream keys(step.input);
    std::string text;
    std::string word;
    std::string last_key;
    uint64_t output_bytes = 0;
    while (keys >> word) {
      const InternalKey key = ParseKey(word);
      if (cutter.CutBefore(key.Encode(), output_bytes, last_key)) {
        text += "| ";
        output_bytes = 0;
      }
      text += word + " ";
      output_bytes += entry_bytes;
      last_key = key.Encode().ToString();
    }
    text.pop_back();
    return text;
  }

  std::string Deeper(const TranscriptStep& step) {
    BaseLevelCheck check = BaseLevelCheck::BelowTables(last_plan_.version, last_plan_.output_level);
    std::istringstream keys(step.input);
    std::string text;
    std::string word;
    while (keys >> word) text += word + (check.MayContain(word) ? ":maybe " : ":no ");
    text.pop_back();
    return text;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  VersionPtr version_ = ParseVersion(&comparator_, "");
  PickerOptions options_;
  std::unique_ptr<Reservations> running_;
  std::map<std::string, uint64_t> tickets_;
  CompactionPlan last_plan_;
};

class CompactionPickerTest : public testing::TestWithParam<const char*> {};

TEST_P(CompactionPickerTest, Transcript) {
  World world;
  RunTranscript(std::string(BUSHSTORE_TESTDATA) + "/" + GetParam(),
                [&world](const TranscriptStep& step) { return world.Run(step); });
}

INSTANTIATE_TEST_SUITE_P(All, CompactionPickerTest,
                         testing::Values("size.txt", "boundaries.txt", "parallel.txt", "seek.txt",
                                         "manual.txt", "memtable.txt", "outputs.txt"),
                         [](const testing::TestParamInfo<const char*>& test) {
                           const std::string name = test.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace leveldb
