// A real process is killed many times at random moments while it opens, writes, flushes, merges,
// collects values and spills: after each kill everything that was reported as written is present,
// and nothing else except the one batch in progress.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/subprocess.h"
#include "testing/test_programs.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kKilled = -9;
constexpr uint64_t kBatchesMax = 2500;  // then a new database is made

struct Case {
  const char* name;
  Medium medium;
  uint64_t value_bytes;
  Arguments options;
};

class KilledProcess : public ::testing::TestWithParam<Case> {
 protected:
  KilledProcess() : dice_(AnnouncedSeed()) {}

  Arguments Command(const TierStore& store, uint64_t seed) {
    Arguments words = {store.path(),
                       store.pmem.path,
                       "seed=" + std::to_string(seed),
                       "value_bytes=" + std::to_string(GetParam().value_bytes),
                       "size=" + std::to_string(store.pmem.size),
                       "assume=" + std::to_string(store.pmem.assume_pmem ? 1 : 0)};
    words.insert(words.end(), GetParam().options.begin(), GetParam().options.end());
    return TierWriterCommand(words);
  }

  // Runs the writer and kills it. Returns the last batch that was reported as written, at least
  // `at`.
  uint64_t WriteUntilKilled(const TierStore& store, uint64_t seed, uint64_t at) {
    Subprocess writer(Command(store, seed));
    const uint64_t lines = dice_.OneIn(4) ? 0 : dice_.Below(120);
    std::string line;
    const auto take = [&] {
      const size_t number = line.find("at ");
      EXPECT_TRUE(number == 0 || line.compare(0, 5, "open ") == 0) << line;
      // A line that was cut by the kill is ignored.
      if (number != std::string::npos && line.size() > number + 3) {
        at = std::max<uint64_t>(at, std::strtoull(line.c_str() + number + 3, nullptr, 10));
      }
    };
    for (uint64_t i = 0; i < lines && writer.ReadLine(&line); ++i) {
      take();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(dice_.Below(lines == 0 ? 30000 : 2000)));
    writer.Kill();
    while (writer.ReadLine(&line)) {
      take();
    }
    EXPECT_EQ(writer.Wait(), kKilled);
    return at;
  }

  Dice dice_;
};

TEST_P(KilledProcess, LosesNothing) {
  int kills = Scaled(30);  // of each case: about two hundred in all
  while (kills > 0) {
    TierStore store(kTinyPool, GetParam().medium);
    const uint64_t seed = dice_.Below(1u << 30);
    History history(seed, GetParam().value_bytes);
    uint64_t at = 0;
    for (; kills > 0 && at < kBatchesMax; --kills) {
      const uint64_t told = WriteUntilKilled(store, seed, at);
      ASSERT_FALSE(HasFailure());
      history.ExtendTo(told + 1);
      if (dice_.OneIn(3)) {
        // Sometimes the writer is the next to open it.
        at = told;
        continue;
      }
      ASSERT_OK(store.Open());
      uint64_t count = 0;
      ASSERT_OK(history.Check(store.db(), &count)) << kills << " kills were left";
      ASSERT_GE(count, told);
      store.Close();
      if (dice_.OneIn(4)) {
        ASSERT_OK(store.Check());
      }
      at = count;
    }
    ASSERT_OK(store.Open());  // the last kill may have come before the database existed
    ASSERT_OK(store.Check());
  }
}

INSTANTIATE_TEST_SUITE_P(
    With, KilledProcess,
    ::testing::Values(Case{"ATinyPool", Medium::kMemory, 3000, {}},
                      Case{"SpillsAlways", Medium::kMemory, 3000, {"spill_start_percent=15"}},
                      Case{"CollectsAlways", Medium::kMemory, 20000, {"gc_percent=1"}},
                      Case{"CoarsePersistence",
                           Medium::kMemory,
                           2000,
                           {"wal_persist_bytes=65536", "sync_every=20"}},
                      Case{"APoolOnDisk", Medium::kDisk, 3000, {"sync_every=50"}},
                      Case{
                          "SpillsFromAPoolOnDisk", Medium::kDisk, 3000, {"spill_start_percent=15"}},
                      Case{"CollectsAPoolOnDisk", Medium::kDisk, 20000, {"gc_percent=1"}}),
    [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
