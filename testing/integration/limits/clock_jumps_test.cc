// The clock is set to the past or the future at any moment: only statistics may be wrong.

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>

#include "leveldb/env.h"
#include "testing/dice.h"
#include "testing/either_store.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"

namespace leveldb {
namespace testkit {
namespace {

// A clock that is right most of the time, and sometimes years off or at an end of its range.
class JumpingClock final : public EnvWrapper {
 public:
  explicit JumpingClock(uint64_t seed) : EnvWrapper(Env::Default()), state_(seed) {}

  uint64_t NowMicros() override {
    Dice dice(state_.fetch_add(0x9e3779b97f4a7c15ull));
    constexpr uint64_t kYear = uint64_t{365} * 24 * 3600 * 1000000;
    if (dice.OneIn(20)) return dice.OneIn(2) ? 0 : std::numeric_limits<uint64_t>::max();
    const uint64_t now = target()->NowMicros() + offset_.load();
    if (dice.OneIn(10)) offset_.store(dice.Below(40) * kYear - 20 * kYear);
    return now;
  }

 private:
  std::atomic<uint64_t> state_;
  std::atomic<uint64_t> offset_{0};
};

class ClockJumps : public EitherStore {
 protected:
  ClockJumps() : seed_(AnnouncedSeed()), clock_(seed_) { store_.options.env = &clock_; }
  ~ClockJumps() override { store_.Close(); }

  const uint64_t seed_;
  JumpingClock clock_;
};

TEST_P(ClockJumps, CostNothing) {
  store_.options.write_buffer_size = 64 << 10;
  store_.pmem.wal_persist_bytes = 100000;
  Dice dice(seed_);
  History history(dice.Next(), 2000);
  for (int round = 0; round < 3; ++round) {
    ASSERT_OK(Open());
    ASSERT_OK(store_.CheckAt(history));
    for (int i = 0; i < Scaled(30); ++i) {
      ASSERT_OK(store_.Write(&history, 20, dice.OneIn(5)));
      if (dice.OneIn(10)) db()->CompactRange(nullptr, nullptr);
      std::string text;
      ASSERT_TRUE(db()->GetProperty("leveldb.stats", &text));
    }
    ASSERT_OK(store_.CheckAt(history));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ClockJumps, ::testing::Bool(), EitherName);

}  // namespace
}  // namespace testkit
}  // namespace leveldb
