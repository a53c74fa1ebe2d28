// For tests only: the parts of a database with a tier that jobs use. Its pool is real and small;
// its files are in memory; the test runs background work.

#ifndef BUSHSTORE_DB_JOBS_TIER_JOBS_TEST_H_
#define BUSHSTORE_DB_JOBS_TIER_JOBS_TEST_H_

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "db/jobs/cleanup_job.h"
#include "db/jobs/scheduler.h"
#include "db/jobs/table_entry.h"
#include "db/jobs/tree_input.h"
#include "db/version/internal_key_order.h"
#include "db/version/level_iterator.h"
#include "entry/value_ref.h"
#include "leveldb/helpers/memenv.h"
#include "pmem/media/held_extents.h"
#include "pmem/pmem_tier.h"
#include "pmem/value/value_writer.h"
#include "testing/temp_dir.h"

namespace leveldb {

// A file whose appends fail as long as `*fails`.
class FailingFile final : public WritableFile {
 public:
  FailingFile(WritableFile* target, const std::atomic<bool>* fails)
      : target_(target), fails_(fails) {}

  Status Append(const Slice& data) override {
    return *fails_ ? Status::IOError("file", "no space") : target_->Append(data);
  }
  Status Close() override { return target_->Close(); }
  Status Flush() override { return target_->Flush(); }
  Status Sync() override { return target_->Sync(); }

 private:
  const std::unique_ptr<WritableFile> target_;
  const std::atomic<bool>* const fails_;
};

// Queues background work until a test runs it. Can make new files and appends fail, and call a
// function whenever the clock is read.
class StepEnv final : public EnvWrapper {
 public:
  explicit StepEnv(Env* target) : EnvWrapper(target) {}

  void Schedule(void (*function)(void*), void* arg) override {
    MutexLock lock(&mutex_);
    calls_.emplace_back(function, arg);
    has_call_.SignalAll();
  }

  Status NewWritableFile(const std::string& path, WritableFile** file) override {
    if (new_files_fail) return Status::IOError(path, "no space");
    const Status status = EnvWrapper::NewWritableFile(path, file);
    if (status.ok()) *file = new FailingFile(*file, &appends_fail);
    return status;
  }

  uint64_t NowMicros() override {
    if (at_a_look_at_the_clock) at_a_look_at_the_clock();
    return target()->NowMicros();
  }

  // Runs the oldest call. Returns false if there is none.
  bool RunOne() {
    std::pair<void (*)(void*), void*> call;
    {
      MutexLock lock(&mutex_);
      if (calls_.empty()) return false;
      call = calls_.front();
      calls_.pop_front();
    }
    call.first(call.second);
    return true;
  }

  void RunAll() {
    while (RunOne()) {
    }
  }

  // Waits until there is a call to run.
  void AwaitCall() {
    MutexLock lock(&mutex_);
    while (calls_.empty()) has_call_.Wait();
  }

  std::function<void()> at_a_look_at_the_clock;
  std::atomic<bool> new_files_fail{false};
  std::atomic<bool> appends_fail{false};

 private:
  Mutex mutex_;
  CondVar has_call_{&mutex_};
  std::deque<std::pair<void (*)(void*), void*>> calls_;
};

class TierFixture : public testing::Test {
 protected:
  static constexpr uint64_t kExtent = 64 << 10;

  ~TierFixture() override {
    if (scheduler_ != nullptr) Close();
  }

  // Values of at least this size go to value extents.
  static constexpr size_t kSeparated = 256;

  void Start(uint64_t pool_bytes, const PmemTierOptions& tier_options = PmemTierOptions()) {
    PoolOptions pool_options;
    pool_options.path = dir_.path();
    pool_options.size = pool_bytes;
    pool_options.extent_size = kExtent;
    pool_options.assume_pmem = true;
    pool_options.assume_pmem_anywhere = true;
    pool_options.guard_faults = guard_faults_;
    std::unique_ptr<Pool> pool;
    const Status status = Pool::Create(pool_options, "/db", PoolId::Random(), &pool);
    ASSERT_TRUE(status.ok()) << status.ToString();
    tier_ = std::make_unique<PmemTier>(std::move(pool), tier_options);
    values_ = std::make_unique<ValueWriter>(tier_->pool(), tier_->extents());

    Options options;
    options.env = &env_;
    options.block_cache = cache_.get();
    options.compression = kNoCompression;
    options.write_buffer_size = write_buffer_size_;
    ASSERT_TRUE(env_.CreateDir("/db").ok());
    auto resolved = std::make_unique<ResolvedOptions>("/db", options);
    resolved->max_running_compactions = 4;
    resolved->cores_are_few = cores_are_few_;
    state_ = std::make_unique<DbState>(std::move(resolved));
    state_->SetTier(tier_.get());
    AttachTier();
    table_cache_ = std::make_unique<TableCache>("/db", state_->options(), 100,
                                                InternalKeyOrder(state_->comparator()));
    scheduler_ = std::make_unique<Scheduler>(state_.get(), table_cache_.get());
    state_->work_signal = scheduler_.get();
    bool reused;
    ASSERT_TRUE(state_->versions->CreateFresh().ok());
    ASSERT_TRUE(state_->versions->Recover(&reused).ok());
    MutexLock lock(&state_->mutex);
    VersionEdit edit;
    edit.pmem().SetTier({tier_->pool()->id(), 1});
    ASSERT_TRUE(state_->versions->LogAndApply(&edit, &state_->mutex).ok());
    state_->log_numbers.push_back(state_->versions->NewFileNumber());
    state_->manifest_number = state_->versions->ManifestFileNumber();
    NewMemTable();
    state_->Publish(memtable_, nullptr);
  }

  void Close() {
    // Close waits for the background, which is this test.
    std::thread closing([this] { scheduler_->Close(); });
    while (!state_->closing) std::this_thread::yield();
    env_.RunAll();
    closing.join();
    memtable_.reset();
    held_.reset();
    scheduler_.reset();
  }

  // ---- writing ---------------------------------------------------------------------------------

  void Put(const std::string& key, const std::string& value) {
    const SequenceNumber sequence = state_->versions->LastSequence() + 1;
    if (value.size() < kSeparated) {
      memtable_->Add(sequence, kTypeValue, key, value);
    } else {
      ValueRef reference;
      std::vector<PoolOffset> opened;
      const Status status = values_->Append(value, &reference, &opened);
      for (const PoolOffset extent : opened) held_->Adopt(extent);
      ASSERT_TRUE(status.ok()) << status.ToString();
      char encoded[kValueRefSize];
      EncodeValueRef(reference, encoded);
      memtable_->Add(sequence, kTypeValueRef, key, Slice(encoded, sizeof(encoded)));
    }
    state_->versions->SetLastSequence(sequence);
    model_[key] = value;
  }

  void Delete(const std::string& key) {
    const SequenceNumber sequence = state_->versions->LastSequence() + 1;
    memtable_->Add(sequence, kTypeDeletion, key, Slice());
    state_->versions->SetLastSequence(sequence);
    model_.erase(key);
  }

  // Puts `count` keys from `first` on, `step` apart, with values of `size` bytes.
  void PutMany(int first, int count, size_t size, int step = 1) {
    for (int i = 0; i < count; i++) {
      const std::string key = KeyOf(first + i * step);
      Put(key, std::string(size, static_cast<char>('a' + version_++ % 26)));
    }
  }

  static std::string KeyOf(int i) {
    const std::string digits = std::to_string(i);
    return "key" + std::string(6 - digits.size(), '0') + digits;
  }

  // Makes the memtable the immutable one, and begins a new one.
  void Switch() {
    tier_->persist()->Fence();
    const std::shared_ptr<MemTable> full = memtable_;
    const std::shared_ptr<HeldExtents> held = std::move(held_);
    NewMemTable();
    if (values_->current() != kNoPoolOffset) held_->Share(values_->current());
    MutexLock lock(&state_->mutex);
    state_->log_numbers.push_back(state_->versions->NewFileNumber());
    state_->immutable_last_sequence = state_->versions->LastSequence();
    state_->Publish(memtable_, full);
  }

  void Flush() {
    kept_version_.reset();
    Switch();
    scheduler_->Raise();
    env_.RunAll();
  }

  // Flushes `keys` values of 1000 bytes, then most of each extent's values again, three times. The
  // last flush makes a merge due, and the merge makes value-log GC due.
  void MakeGarbage(int keys) {
    PutMany(0, keys, 1000);
    Flush();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < keys; i++) {
        if (i % 10 != 0) Put(KeyOf(i), std::string(1000, static_cast<char>('A' + round)));
      }
      Flush();
    }
  }

  // ---- room ------------------------------------------------------------------------------------

  // Takes all free extents of the pool except `extents` of them.
  void FillUpTo(size_t extents) {
    PoolOffset pool_offset;
    while (tier_->extents()->Reserve(1, &pool_offset).ok()) taken_.push_back(pool_offset);
    for (size_t i = 0; i < extents; i++) {
      tier_->extents()->Release(taken_.back());
      taken_.pop_back();
    }
  }

  void ReleaseTaken() {
    for (const PoolOffset pool_offset : taken_) tier_->extents()->Release(pool_offset);
    taken_.clear();
  }

  // ---- inspecting ------------------------------------------------------------------------------

  VersionPtr version() const { return state_->current_view.Pin()->version; }
  const TreeGroup& group() { return *(kept_version_ = version())->group(); }
  size_t NumTrees(int level) { return group().trees(level).size(); }
  PmemStats& stats() { return *tier_->stats(); }

  Status BackgroundError() {
    MutexLock lock(&state_->mutex);
    return state_->background_error();
  }

  int NumTablesOnDisk() {
    std::vector<std::string> names;
    EXPECT_TRUE(env_.GetChildren("/db", &names).ok());
    int found = 0;
    for (const std::string& name : names) {
      uint64_t number;
      FileType type;
      found += ParseFileName(name, &number, &type) && type == kTableFile;
    }
    return found;
  }

  // Returns all entries that a read at `sequence` would find in trees and tables.
  std::map<std::string, std::string> Contents(SequenceNumber sequence = kMaxSequenceNumber) {
    const VersionPtr shown = version();
    std::vector<InternalIterator*> children;
    for (int level = 0; level < kGroupLevels; level++) {
      AppendTreeIterators(level, shown->group()->trees(level), state_->comparator(), &children);
    }
    for (const FileMetaPtr& file : shown->files(0)) {
      children.push_back(table_cache_->NewIterator(ReadOptions(), file->number, file->size));
    }
    for (int level = 1; level < kNumLevels; level++) {
      if (shown->num_files(level) == 0) continue;
      children.push_back(NewLevelIterator(ReadOptions(), &state_->comparator(), table_cache_.get(),
                                          shown->shared_level(level)));
    }
    const std::unique_ptr<Iterator> entries = MergeInputs(state_->comparator(), children);
    std::map<std::string, std::string> contents;
    std::string last_key;
    TableEntry entry(tier_->pool());
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
      ParsedKey key;
      EXPECT_TRUE(ParseInternalKey(entries->key(), &key));
      if (key.sequence > sequence || (!last_key.empty() && key.user_key == Slice(last_key))) {
        continue;
      }
      last_key = key.user_key.ToString();
      if (key.type == kTypeDeletion) continue;
      const Status status = entry.Set(entries->key(), entries->value());
      EXPECT_TRUE(status.ok()) << status.ToString();
      contents[last_key] = entry.value().ToString();
    }
    EXPECT_TRUE(entries->status().ok()) << entries->status().ToString();
    return contents;
  }

  // Expects exactly the entries that were written and flushed.
  void ExpectModel() { EXPECT_TRUE(Contents() == model_) << version()->DebugString(); }

  // Returns the number of entries in all trees.
  uint64_t Entries() {
    uint64_t entries = 0;
    for (int level = 0; level < kGroupLevels; level++) {
      for (const TreePtr& tree : group().trees(level)) entries += tree->record().entries;
    }
    return entries;
  }

  const std::unique_ptr<Cache> cache_{NewLRUCache(1 << 20)};
  const testkit::TempDir dir_{testkit::Medium::kMemory};
  const std::unique_ptr<Env> mem_env_{NewMemEnv(Env::Default())};
  StepEnv env_{mem_env_.get()};
  std::unique_ptr<PmemTier> tier_;
  std::unique_ptr<ValueWriter> values_;
  std::unique_ptr<DbState> state_;
  std::unique_ptr<TableCache> table_cache_;
  VersionPtr kept_version_;
  std::unique_ptr<Scheduler> scheduler_;
  std::shared_ptr<MemTable> memtable_;
  std::shared_ptr<HeldExtents> held_;
  std::vector<PoolOffset> taken_;
  std::map<std::string, std::string> model_;
  uint64_t version_ = 0;
  size_t write_buffer_size_ = Options().write_buffer_size;
  bool guard_faults_ = false;   // for Start
  bool cores_are_few_ = false;  // for Start

 private:
  void NewMemTable() {
    memtable_ = std::make_shared<MemTable>(&state_->comparator());
    held_ = std::make_shared<HeldExtents>(tier_->extents());
    memtable_->Hold(held_);
  }

  void AttachTier() {
    PmemTier* const tier = tier_.get();
    const TreeContext context = tier->MakeTreeContext(&state_->comparator(), nullptr);
    TierAttachment attachment;
    attachment.open_tree = [context](const TreeRecord& record, TreePtr* tree) {
      return Tree::Open(context, record, tree);
    };
    attachment.pool_bytes = tier->pool()->ceiling();
    attachment.spills = tier->options().spill;
    attachment.hold_releases = [tier](bool hold) { tier->extents()->HoldReleases(hold); };
    state_->versions->AttachTier(std::move(attachment));
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TIER_JOBS_TEST_H_
