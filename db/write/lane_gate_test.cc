#include "db/write/lane_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::Scaled;

TEST(LaneGateTest, LanesAreInsideBesideEachOther) {
  LaneGate gate;
  const LaneGate::Beside first(&gate, 0);
  const LaneGate::Beside second(&gate, 1);
}

TEST(LaneGateTest, WhoIsOutDoesNotHoldUpWhoWantsToBeAlone) {
  LaneGate gate;
  LaneGate::Beside first(&gate, 0);
  first.Leave();
  { const LaneGate::Alone alone(&gate); }
  first.Enter();
}

TEST(LaneGateTest, WhoFindsSomebodyAloneForLongWaits) {
  LaneGate gate;
  std::atomic<bool> is_over{false};
  std::thread other;
  {
    const LaneGate::Alone alone(&gate);
    other = std::thread([&] {
      const LaneGate::Beside beside(&gate, 1);
      EXPECT_TRUE(is_over);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    is_over = true;
  }
  other.join();
}

// ThreadSanitizer looks at `shared`, too.
TEST(LaneGateTest, WhoIsAloneIsAlone) {
  LaneGate gate;
  std::atomic<int> inside{0};
  std::atomic<int> wrong{0};
  int shared = 0;
  const int rounds = Scaled(20000);
  std::vector<std::thread> threads;
  for (size_t lane = 0; lane < LaneGate::kLanes; lane++) {
    threads.emplace_back([&, lane] {
      int seen = 0;
      for (int i = 0; i < rounds; i++) {
        if (i % 7 == 0) {
          const LaneGate::Alone alone(&gate);
          if (inside.load() != 0) wrong++;
          shared++;
        } else {
          const LaneGate::Beside beside(&gate, lane);
          inside++;
          if (shared < seen) wrong++;
          seen = shared;
          inside--;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong.load());
  EXPECT_EQ(2 * ((rounds + 6) / 7), shared);
}

}  // namespace
}  // namespace leveldb
