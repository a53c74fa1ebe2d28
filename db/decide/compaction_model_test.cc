// Tests a model of a store that consists of metadata only: random writes, flushes and compactions,
// several at a time, with tables that are lists of entries in memory. After every step each key
// must read as in a plain map, the levels must be in order, and a level must never hold an older
// version of a key above a newer one. Pickers, reservations, boundaries, cuts and tombstone drops
// have to guarantee this together.

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "db/decide/base_level_check.h"
#include "db/decide/compaction_picker.h"
#include "db/decide/output_cutter.h"
#include "db/version/level_search.h"
#include "db/version/version_builder.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {
namespace {

constexpr uint64_t kEntryBytes = 100 << 10;
constexpr uint64_t kMaxFileSize = 1 << 20;
constexpr int kKeys = 400;

struct Entry {
  std::string user_key;
  SequenceNumber sequence;
  ValueType type;

  InternalKey Key() const { return InternalKey(user_key, sequence, type); }
};
using Table = std::vector<Entry>;

// A compaction or flush that has been planned and not yet installed.
struct Job {
  VersionEdit edit;
  std::optional<uint64_t> ticket;
};

class Simulation {
 public:
  explicit Simulation(uint64_t seed) : random_(seed) {
    options_.max_file_size = kMaxFileSize;
    options_.running = &running_;
  }

  void Step() {
    switch (random_.Uniform(9)) {
      case 0:
      case 1:
        if (memtable_.empty()) WriteAndStartFlush();
        break;
      case 2:
      case 3:
        if (jobs_.size() < 3) StartCompaction();
        break;
      case 4:
        if (jobs_.size() < 3) StartManual();
        break;
      case 5:
        ChangeSnapshot();
        break;
      case 6:
        if (!memtable_.empty()) FinishFlush();
        break;
      default:
        if (!jobs_.empty()) FinishJob(random_.Uniform(jobs_.size()));
    }
  }

  void FinishAll() {
    while (!jobs_.empty()) FinishJob(0);
  }

  void CheckAllKeys() {
    for (int i = 0; i < kKeys; i++) {
      CheckKey(KeyOf(i), sequence_);
      if (snapshot_.has_value()) CheckKey(KeyOf(i), *snapshot_);
    }
  }

  int jobs_in_parallel() const { return jobs_in_parallel_; }
  int tombstones_dropped() const { return tombstones_dropped_; }
  const Version& version() const { return *version_; }

 private:
  static std::string KeyOf(uint64_t i) {
    std::string digits = NumberToString(i);
    return "k" + std::string(4 - digits.size(), '0') + digits;
  }

  // Writes a run of neighbouring or of scattered keys and begins to flush them. They are read
  // from the memtable until the table is installed.
  void WriteAndStartFlush() {
    const bool scattered = random_.OneIn(2);
    const uint64_t first = random_.Uniform(kKeys);
    Table table;
    for (uint64_t i = 1 + random_.Uniform(20); i > 0; i--) {
      const uint64_t key = scattered ? random_.Uniform(kKeys) : (first + i) % kKeys;
      const ValueType type = random_.OneIn(3) ? kTypeDeletion : kTypeValue;
      table.push_back({KeyOf(key), ++sequence_, type});
      history_[KeyOf(key)].push_back(table.back());
    }
    std::sort(table.begin(), table.end(), [this](const Entry& a, const Entry& b) {
      return comparator_.Compare(a.Key(), b.Key()) < 0;
    });
    const int level =
        MemtableOutputLevel(*version_, options_, table.front().user_key, table.back().user_key);
    if (level > 0) {
      flush_.ticket = running_.ReserveOutput(level, table.front().user_key, table.back().user_key);
    }
    memtable_ = table;
    AddTable(level, std::move(table), &flush_.edit);
  }

  void FinishFlush() {
    Install(flush_.edit);
    if (flush_.ticket.has_value()) running_.Release(*flush_.ticket);
    flush_ = Job();
    memtable_.clear();
  }

  // A read needs the newest version at or below the snapshot; every newer version is kept, too.
  void ChangeSnapshot() {
    FinishAll();  // jobs remember the snapshot that they started with
    if (snapshot_.has_value()) {
      snapshot_.reset();
    } else {
      snapshot_ = sequence_;
    }
  }

  void StartCompaction() {
    SeekHint hint;
    hint.level = static_cast<int>(random_.Uniform(kNumLevels));
    const std::vector<FileMetaPtr>& files = version_->files(hint.level);
    const bool with_hint = !files.empty();
    if (with_hint) hint.file = files[random_.Uniform(files.size())];
    std::optional<CompactionPlan> plan =
        PickCompaction(version_, options_, with_hint ? &hint : nullptr);
    if (plan.has_value()) StartJob(std::move(*plan));
  }

  void StartManual() {
    ManualRange range;
    range.level = static_cast<int>(random_.Uniform(kNumLevels - 1));
    if (!random_.OneIn(3)) range.begin = KeyOf(random_.Uniform(kKeys));
    if (!random_.OneIn(3)) range.end = KeyOf(random_.Uniform(kKeys));
    if (range.begin.has_value() && range.end.has_value() && *range.begin > *range.end) return;
    range.begin_is_exclusive = random_.OneIn(2);
    ManualPick pick = PickRange(version_, options_, range);
    if (pick.outcome == ManualPick::kPlan) StartJob(std::move(*pick.plan));
  }

  void StartJob(CompactionPlan plan) {
    Job job;
    job.ticket = running_.Reserve(plan);
    if (plan.is_trivial_move) {
      plan.AddMoveTo(&job.edit);
    } else {
      plan.AddInputsTo(&job.edit);
      Compact(plan, &job.edit);
    }
    jobs_.push_back(std::move(job));
    if (jobs_.size() > 1) jobs_in_parallel_++;
  }

  void FinishJob(size_t index) {
    Job job = std::move(jobs_[index]);
    jobs_.erase(jobs_.begin() + static_cast<ptrdiff_t>(index));
    Install(job.edit);
    running_.Release(*job.ticket);
  }

  Table MergedInputs(const CompactionPlan& plan) const {
    Table merged;
    for (const std::vector<FileMetaPtr>& inputs : plan.inputs) {
      for (const FileMetaPtr& file : inputs) {
        const Table& table = tables_.at(file->number);
        merged.insert(merged.end(), table.begin(), table.end());
      }
    }
    std::sort(merged.begin(), merged.end(), [this](const Entry& a, const Entry& b) {
      return comparator_.Compare(a.Key(), b.Key()) < 0;
    });
    return merged;
  }

  void Compact(const CompactionPlan& plan, VersionEdit* edit) {
    OutputCutter cutter(plan.grandparents, &comparator_, kMaxFileSize);
    BaseLevelCheck base_level_check = BaseLevelCheck::BelowTables(plan.version, plan.output_level);
    const SequenceNumber oldest_snapshot = snapshot_.value_or(sequence_);
    Table output;
    std::string last_user_key;
    SequenceNumber last_sequence = kMaxSequenceNumber;
    for (const Entry& entry : MergedInputs(plan)) {
      if (entry.user_key != last_user_key) last_sequence = kMaxSequenceNumber;
      const bool shadowed = last_sequence <= oldest_snapshot;
      last_user_key = entry.user_key;
      last_sequence = entry.sequence;
      if (shadowed) continue;
      if (entry.type == kTypeDeletion && entry.sequence <= oldest_snapshot &&
          !base_level_check.MayContain(entry.user_key)) {
        tombstones_dropped_++;
        continue;
      }
      const std::string last_key =
          output.empty() ? std::string() : output.back().Key().Encode().ToString();
      const bool cut =
          cutter.CutBefore(entry.Key().Encode(), output.size() * kEntryBytes, last_key);
      // Other implementations of the format also end tables between two versions of a key.
      if (cut || (!output.empty() && random_.OneIn(10))) {
        AddTable(plan.output_level, std::move(output), edit);
        output.clear();
      }
      output.push_back(entry);
    }
    if (!output.empty()) AddTable(plan.output_level, std::move(output), edit);
  }

  void AddTable(int level, Table table, VersionEdit* edit) {
    const uint64_t number = next_number_++;
    edit->AddFile(level, number, table.size() * kEntryBytes, table.front().Key(),
                  table.back().Key());
    tables_[number] = std::move(table);
  }

  void Install(const VersionEdit& edit) {
    VersionBuilder builder(&comparator_, version_);
    builder.Apply(edit);
    const Status status = builder.Build(&version_);
    ASSERT_TRUE(status.ok()) << status.ToString() << "\n" << version_->DebugString();
    for (const VersionEdit::CompactPointer& pointer : edit.compact_pointers()) {
      options_.compact_pointers[pointer.level] = pointer.key.Encode().ToString();
    }
  }

  // Returns the first entry of `user_key` at or below `sequence`, as a read finds it: level by
  // level.
  const Entry* Find(const std::string& user_key, SequenceNumber sequence) const {
    for (const Entry& entry : memtable_) {
      if (entry.user_key == user_key && entry.sequence <= sequence) return &entry;
    }
    for (int level = 0; level < kNumLevels; level++) {
      for (const FileMetaPtr& file : version_->files(level)) {
        for (const Entry& entry : tables_.at(file->number)) {
          if (entry.user_key == user_key && entry.sequence <= sequence) return &entry;
        }
      }
    }
    return nullptr;
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

  Random random_;
  const InternalKeyComparator comparator_{BytewiseComparator()};
  Reservations running_{BytewiseComparator()};
  PickerOptions options_;
  VersionPtr version_{new Version(&comparator_)};
  std::map<uint64_t, Table> tables_;
  std::map<std::string, std::vector<Entry>> history_;
  Table memtable_;  // being flushed
  Job flush_;
  std::vector<Job> jobs_;
  std::optional<SequenceNumber> snapshot_;
  SequenceNumber sequence_ = 0;
  uint64_t next_number_ = 1;
  int jobs_in_parallel_ = 0;
  int tombstones_dropped_ = 0;
};

TEST(CompactionModelTest, ReadsStayRightWhileJobsRunSideBySide) {
  const char* const chosen = std::getenv("BUSHSTORE_TEST_SEED");
  const uint64_t first_seed =
      chosen != nullptr ? std::stoull(chosen)
                        : static_cast<uint64_t>(testing::UnitTest::GetInstance()->random_seed());
  int jobs_in_parallel = 0;
  int tombstones_dropped = 0;
  for (uint64_t seed = first_seed; seed < first_seed + 4; seed++) {
    SCOPED_TRACE("BUSHSTORE_TEST_SEED=" + NumberToString(seed));
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    Simulation simulation(seed);
    for (int step = 0; step < 1500; step++) {
      simulation.Step();
      if (step % 10 == 0) simulation.CheckAllKeys();
      if (testing::Test::HasFatalFailure()) return;
    }
    simulation.FinishAll();
    simulation.CheckAllKeys();
    jobs_in_parallel += simulation.jobs_in_parallel();
    tombstones_dropped += simulation.tombstones_dropped();
  }
  EXPECT_GT(jobs_in_parallel, 10);  // else the test has not tested concurrency
  EXPECT_GT(tombstones_dropped, 10);
}

}  // namespace
}  // namespace leveldb
