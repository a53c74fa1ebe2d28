// Tests how long writers are delayed in total for level 0 and the pool, depending on which shards
// write. The environment does not sleep but adds up the delays.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "db/state/db_state.h"
#include "db/state/work_signal.h"
#include "db/version/level_limits.h"
#include "db/write/idle_log_test.h"
#include "db/write/write_controller.h"
#include "db/write/write_queue.h"
#include "leveldb/helpers/memenv.h"
#include "pmem/pmem_tier.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

class DelayEnv final : public EnvWrapper {
 public:
  explicit DelayEnv(Env* target) : EnvWrapper(target) {}

  void SleepForMicroseconds(int micros) override {
    slept_micros += static_cast<uint64_t>(micros);
    if (at_a_delay) std::exchange(at_a_delay, nullptr)();
  }
  uint64_t NowMicros() override {
    if (at_a_look_at_the_clock) at_a_look_at_the_clock();
    return target()->NowMicros();
  }

  uint64_t slept_micros = 0;
  std::function<void()> at_a_delay;  // called once
  std::function<void()> at_a_look_at_the_clock;
};

// ExclusiveLog has shards, but every write requires exclusive access.
class ExclusiveLog final : public IdleLog {
 public:
  explicit ExclusiveLog(size_t shards) : IdleLog(shards) {}

  Status Write(const WriteGroup& group, MemTable* memtable, bool*) override {
    memtable->Add(group.sequence, kTypeValue, group.first->key, group.first->value);
    return Status::OK();
  }
  bool WriteShared(WriteGroup*, MemTable*, CommitOrder*, Status*) override { return false; }
};

class WriteControllerDelayTest : public testing::Test {
 protected:
  WriteControllerDelayTest() {
    MutexLock lock(&state_->mutex);
    bool reused;
    EXPECT_TRUE(state_->versions->CreateFresh().ok());
    EXPECT_TRUE(state_->versions->Recover(&reused).ok());
    state_->Publish(memtable_, nullptr);
    state_->pressure.level0_table_depth = kLevel0SlowdownDepth;
  }

  static std::unique_ptr<DbState> NewState(Env* env) {
    Options options;
    options.env = env;
    options.write_buffer_size = 1024 * kMiB;
    return std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options));
  }

  // Writes `bytes` bytes in writes of 4 KiB. Returns the microseconds slept meanwhile.
  uint64_t Write(size_t shard, size_t bytes) {
    const uint64_t before = env_.slept_micros;
    for (size_t written = 0; written < bytes; written += value_.size()) {
      uint64_t delay_nanos;
      EXPECT_TRUE(controllers_[shard].HasRoom(value_.size(), *memtable_, &delay_nanos));
      if (delay_nanos > 0) controllers_[shard].Delay(delay_nanos);
      memtable_->Add(++sequence_, kTypeValue, "key", value_, shard);
    }
    return env_.slept_micros - before;
  }

  // Returns the delay for `bytes` while level 0 is as deep as the slowdown trigger: 64 MiB/s.
  static uint64_t DelayMicros(size_t bytes) { return bytes * 1'000'000 / (64 * kMiB); }

  // The tolerance allows for short delays that are still pending, and for the last burst of the
  // other shard, which this shard has not seen yet.
  void ExpectAbout(size_t bytes, uint64_t slept_micros) {
    EXPECT_NEAR(static_cast<double>(DelayMicros(bytes)), static_cast<double>(slept_micros),
                static_cast<double>(DelayMicros(kMiB / 2)));
  }

  const std::unique_ptr<Env> mem_env_{NewMemEnv(Env::Default())};
  DelayEnv env_{mem_env_.get()};
  const std::unique_ptr<DbState> state_ = NewState(&env_);
  const std::shared_ptr<MemTable> memtable_ = std::make_shared<MemTable>(&state_->comparator());
  WriteController controllers_[2] = {{state_.get(), 0}, {state_.get(), 1}};
  const std::string value_ = std::string(4096, 'v');
  SequenceNumber sequence_ = 0;
};

TEST_F(WriteControllerDelayTest, OneWriterIsDelayedForWhatItWrites) {
  ExpectAbout(8 * kMiB, Write(0, 8 * kMiB));
  state_->pressure.level0_table_depth = 0;
  EXPECT_EQ(0u, Write(0, 8 * kMiB));
}

// The environment does not sleep, so both writers are delayed as if each were the only one.
TEST_F(WriteControllerDelayTest, EachOfTwoWritersIsDelayedForBoth) {
  for (const size_t burst : {size_t{4096}, kMiB / 4}) {
    uint64_t slept[2] = {};
    for (size_t written = 0; written < 8 * kMiB; written += burst) {
      for (const size_t shard : {0, 1}) slept[shard] += Write(shard, burst);
    }
    for (const size_t shard : {0, 1}) ExpectAbout(2 * 8 * kMiB, slept[shard]);
  }
}

TEST_F(WriteControllerDelayTest, TheWriterOfMostIsDelayedForEverything) {
  uint64_t slept[2] = {};
  for (int i = 0; i < 32; i++) {
    slept[0] += Write(0, kMiB / 4);
    slept[1] += Write(1, kMiB / 16);
  }
  ExpectAbout(10 * kMiB, slept[0]);
  ExpectAbout(4 * kMiB, slept[1]);
}

TEST_F(WriteControllerDelayTest, NoWriterIsDelayedForWhatWasWrittenLongAgo) {
  ExpectAbout(16 * kMiB, Write(0, 16 * kMiB));
  EXPECT_LE(Write(1, 8 * kMiB), DelayMicros(9 * kMiB));
  state_->pressure.level0_table_depth = 0;
  Write(0, 16 * kMiB);
  Write(1, 64 * 1024);
  state_->pressure.level0_table_depth = kLevel0SlowdownDepth;
  EXPECT_LE(Write(1, 8 * kMiB), DelayMicros(8 * kMiB));
}

// Trees are merged faster than tables.
TEST_F(WriteControllerDelayTest, WritersKeepStepWithMergesWhereTreesAreMany) {
  state_->pressure.level0_table_depth = 0;
  state_->pressure.level0_tree_depth = kLevel0SlowdownDepth;
  ExpectAbout(8 * kMiB, Write(0, 8 * kMiB));  // the merge throughput is not known
  state_->pressure.merge_throughput.Add(DelayMicros(kMiB) / 16, kMiB);
  ExpectAbout(2 * kMiB, Write(0, 32 * kMiB));
  state_->pressure.level0_tree_depth = kLevel0SlowdownDepth + 2;
  ExpectAbout(8 * kMiB, Write(0, 32 * kMiB));
  state_->pressure.level0_table_depth = kLevel0SlowdownDepth + 1;
  ExpectAbout(16 * kMiB, Write(0, 8 * kMiB));
}

// Writers are delayed in turns, so that the processors are in use.
TEST_F(WriteControllerDelayTest, AWriterGoesOnDuringTheOthersDelayUntilItsOwnIsLong) {
  uint64_t other_slept = 0;
  env_.at_a_delay = [&] { other_slept = Write(1, kMiB / 2); };
  Write(0, kMiB);
  EXPECT_EQ(0u, other_slept);
  EXPECT_GT(Write(1, kMiB / 4), 0u) << "it owes for what it has written then";
  env_.at_a_delay = [&] { other_slept = Write(1, 4 * kMiB); };
  Write(0, kMiB);
  EXPECT_GT(other_slept, 0u);
  EXPECT_EQ(0, state_->pressure.waiting.delayed_shards);
}

TEST_F(WriteControllerDelayTest, AnExclusiveWriteIsDelayedOnce) {
  for (const size_t shards : {1, 2}) {
    WriteQueue queue(state_.get(), std::make_unique<ExclusiveLog>(shards));
    const uint64_t before = env_.slept_micros;
    for (size_t written = 0; written < 8 * kMiB; written += value_.size()) {
      ASSERT_TRUE(queue.Put("key", value_, false).ok());
    }
    ExpectAbout(8 * kMiB, env_.slept_micros - before);
  }
}

class CountedWorkSignal final : public WorkSignal {
 public:
  void Raise() override { times_raised++; }

  int times_raised = 0;
};

// The fixture has a tier whose pool has begun to spill.
class WriteControllerTierTest : public WriteControllerDelayTest {
 protected:
  WriteControllerTierTest() {
    PoolOptions options;
    options.path = dir_.path();
    options.size = 64 << 20;
    options.extent_size = 64 << 10;
    options.assume_pmem = true;
    options.assume_pmem_anywhere = true;
    std::unique_ptr<Pool> pool;
    const Status status = Pool::Create(options, "/db", PoolId::Random(), &pool);
    EXPECT_TRUE(status.ok()) << status.ToString();
    PmemTierOptions tier_options;
    tier_options.spill_start = 0.1;
    tier_ = std::make_unique<PmemTier>(std::move(pool), tier_options);
    EXPECT_TRUE(tier_->extents()->Reserve(kExtents, &extents_).ok());
    state_->pressure.level0_table_depth = 0;
    state_->work_signal = &work_;
    state_->SetTier(tier_.get());
  }
  ~WriteControllerTierTest() override { tier_->extents()->Release(extents_, kExtents); }

  static constexpr uint32_t kExtents = 256;  // a quarter of the pool

  const testkit::TempDir dir_;
  std::unique_ptr<PmemTier> tier_;
  PoolOffset extents_ = kNoPoolOffset;
  CountedWorkSignal work_;
};

// Otherwise no spill would begin before the memtable is full, which takes as long as the writer is
// delayed.
TEST_F(WriteControllerTierTest, AWriterDelayedForSpillsHasThemLookedFor) {
  Write(0, kMiB);
  EXPECT_EQ(1, work_.times_raised);
  Write(0, kMiB);
  EXPECT_EQ(1, work_.times_raised) << "the pool is as full as before";
  PoolOffset more;
  ASSERT_TRUE(tier_->extents()->Reserve(kExtents, &more).ok());
  Write(0, kMiB);
  EXPECT_EQ(2, work_.times_raised) << "what was looked for may only now be due";
  tier_->extents()->Release(more, kExtents);
  Write(0, kMiB);
  tier_->extents()->Release(extents_, kExtents);
  Write(0, kMiB);
  EXPECT_EQ(2, work_.times_raised) << "there is room";
  ASSERT_TRUE(tier_->extents()->Reserve(kExtents, &extents_).ok());
  Write(0, kMiB);
  EXPECT_EQ(3, work_.times_raised);
  Write(1, kMiB);
  EXPECT_EQ(4, work_.times_raised) << "each shard looks";
}

// A job may have been taken from the list without having begun.
TEST_F(WriteControllerTierTest, WithoutMemoryToLookForSpillsWritesEnd) {
  class NoMemory final : public WorkSignal {
    void Raise() override { throw std::bad_alloc(); }
  };
  NoMemory no_memory;
  state_->work_signal = &no_memory;
  WriteQueue queue(state_.get(), std::make_unique<ExclusiveLog>(1));
  Status status;
  for (size_t written = 0; written < kMiB && status.ok(); written += value_.size()) {
    status = queue.Put("key", value_, false);
  }
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(state_->pressure.failed);
  EXPECT_FALSE(queue.Put("key", value_, false).ok());
}

TEST_F(WriteControllerTierTest, APoolThatWasFullAsksForNothingWhenItsTierIsGone) {
  EXPECT_GT(Write(0, 8 * kMiB), 0u);
  state_->SetTier(nullptr);
  EXPECT_EQ(0u, Write(0, 8 * kMiB));
}

TEST_F(WriteControllerTierTest, TheTierMayGoWhileAWriterLooks) {
  state_->pressure.flush_pending = true;
  env_.at_a_look_at_the_clock = [this] { state_->SetTier(nullptr); };
  Write(0, kMiB);
  EXPECT_EQ(nullptr, state_->tier());
}

// Other jobs then yield to the flush.
TEST_F(WriteControllerTierTest, AWriterThatIsFasterThanTheFlushSaysSo) {
  const WritePressure& pressure = state_->pressure;
  state_->pressure.memtable_bytes = 8 * kMiB;
  state_->pressure.flush_pending = true;
  state_->pressure.flush_nanos_per_kib = 100'000;
  state_->pressure.FlushIsAskedFor(0);  // long ago, but it has not made much progress
  Write(0, 3 * kMiB);
  EXPECT_FALSE(pressure.flush_is_awaited);
  state_->pressure.flushed_share = 1;
  Write(0, 2 * kMiB);
  EXPECT_FALSE(pressure.flush_is_awaited);
  state_->pressure.flushed_share = 0.125;
  Write(0, kMiB / 4);
  EXPECT_TRUE(pressure.flush_is_awaited);
  state_->pressure.FlushIsAskedFor(0);
  EXPECT_FALSE(pressure.flush_is_awaited);
}

// This is the state between the last write to the pool and the end of a drain.
TEST_F(WriteControllerTierTest, NoJobInThePoolHelpsAWriteToAFile) {
  class LogFile final : public IdleLog {
    bool IsInPool() const override { return false; }
  };
  LogFile log;
  std::shared_ptr<MemTable> memtable = memtable_;
  EXPECT_FALSE(controllers_[0].WaitForSpace(100, &log, &memtable));
}

}  // namespace
}  // namespace leveldb
