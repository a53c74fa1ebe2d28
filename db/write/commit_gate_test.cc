#include "db/write/commit_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::Scaled;

TEST(CommitGateTest, ShardsShareTheGate) {
  CommitGate gate;
  const CommitGate::Shared first(&gate, 0);
  const CommitGate::Shared second(&gate, 1);
}

TEST(CommitGateTest, AShardThatHasLeftDoesNotBlockExclusive) {
  CommitGate gate;
  CommitGate::Shared first(&gate, 0);
  first.Leave();
  { const CommitGate::Exclusive exclusive_commit(&gate); }
  first.Enter();
}

TEST(CommitGateTest, SharedWaitsForALongExclusive) {
  CommitGate gate;
  std::atomic<bool> is_over{false};
  std::thread other;
  {
    const CommitGate::Exclusive exclusive_commit(&gate);
    other = std::thread([&] {
      const CommitGate::Shared shared_commit(&gate, 1);
      EXPECT_TRUE(is_over);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    is_over = true;
  }
  other.join();
}

// ThreadSanitizer checks the accesses to `shared`, too.
TEST(CommitGateTest, ExclusiveExcludesAll) {
  CommitGate gate;
  std::atomic<int> inside{0};
  std::atomic<int> wrong{0};
  int shared = 0;
  const int rounds = Scaled(20000);
  std::vector<std::thread> threads;
  for (size_t shard = 0; shard < CommitGate::kShards; shard++) {
    threads.emplace_back([&, shard] {
      int seen = 0;
      for (int i = 0; i < rounds; i++) {
        if (i % 7 == 0) {
          const CommitGate::Exclusive exclusive_commit(&gate);
          if (inside.load() != 0) wrong++;
          shared++;
        } else {
          const CommitGate::Shared shared_commit(&gate, shard);
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
