#include "util/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "util/random.h"
#include "util/spare_blocks.h"

namespace leveldb {
namespace {

TEST(ArenaTest, EmptyUsesNothing) {
  const Arena arena;
  EXPECT_EQ(arena.MemoryUsage(), 0u);
}

TEST(ArenaTest, AllocationsKeepApart) {
  const uint64_t seed = 301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Arena arena;
  std::vector<std::pair<char*, size_t>> allocated;
  size_t total = 0;
  for (int i = 0; i < 40000; i++) {
    const size_t n = random.OneIn(4000) ? 1 + random.Uniform(600000)
                     : random.OneIn(20) ? 1 + random.Uniform(2000)
                                        : 1 + random.Uniform(100);
    char* const p = random.OneIn(2) ? arena.AllocateAligned(n) : arena.Allocate(n);
    memset(p, i % 251, n);
    allocated.emplace_back(p, n);
    total += n;
    ASSERT_GE(arena.MemoryUsage(), total);
    ASSERT_LE(arena.MemoryUsage(), total + total / 3 + 4096);
  }
  for (size_t i = 0; i < allocated.size(); i++) {
    const auto [p, n] = allocated[i];
    for (size_t b = 0; b < n; b++) ASSERT_EQ(static_cast<uint8_t>(p[b]), i % 251);
  }
}

TEST(ArenaTest, AlignedIsAligned) {
  Arena arena;
  for (size_t n = 1; n < 3000; n++) {
    arena.Allocate(1 + n % 3);
    const uintptr_t address = reinterpret_cast<uintptr_t>(arena.AllocateAligned(n));
    ASSERT_EQ(address % Arena::kAlignment, 0u) << n;
  }
}

TEST(ArenaTest, RequestsOfWholeLargestBlocks) {
  constexpr size_t kLargest = 2 * 1024 * 1024;
  Arena arena;
  for (const size_t n : {kLargest - 1, kLargest, kLargest + 1, kLargest}) {
    char* const p = arena.Allocate(n);
    p[0] = 'a';
    p[n - 1] = 'z';
  }
  EXPECT_EQ(arena.MemoryUsage(), 4 * kLargest);
}

TEST(ArenaTest, ManyArenasComeAndGoSideBySide) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([t] {
      for (int round = 0; round < 5; round++) {
        Arena arena;
        std::vector<char*> pieces;
        constexpr size_t kPiece = 100 * 1000;
        for (int i = 0; i < 200; i++) {
          pieces.push_back(arena.Allocate(kPiece));
          memset(pieces.back(), t + i, kPiece);
        }
        for (int i = 0; i < 200; i++) {
          ASSERT_EQ(static_cast<char>(t + i), pieces[i][0]);
          ASSERT_EQ(static_cast<char>(t + i), pieces[i][kPiece - 1]);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Blocks in between would be of fresh memory each time.
TEST(ArenaTest, SmallBlocksAreFollowedByTheLargest) {
  constexpr size_t kPiece = 1000;
  constexpr size_t kSmall = 320 * 1024;
  constexpr size_t kBlock = SpareBlocks::kBlockBytes;
  Arena arena;
  int largest = 0;
  while (arena.MemoryUsage() < kSmall + 2 * kBlock) {
    const char* const piece = arena.Allocate(kPiece);
    if (reinterpret_cast<uintptr_t>(piece) % kBlock == 0) largest++;
  }
  EXPECT_GE(largest, 2);
}

// Small blocks are made on demand; one of the largest is ready before it is needed.
TEST(ArenaTest, PreparesTheLargestBlocks) {
  constexpr size_t kPiece = 1000;
  constexpr size_t kSmall = 256 * 1024;
  constexpr size_t kBlock = SpareBlocks::kBlockBytes;
  Arena arena;
  arena.Prepare(kPiece);
  EXPECT_EQ(0u, arena.MemoryUsage());
  char* last = arena.Allocate(kPiece);
  for (int prepared = 0; prepared < 3;) {
    const size_t usage = arena.MemoryUsage();
    arena.Prepare(kPiece);
    const bool has_prepared = arena.MemoryUsage() != usage;
    char* const next = arena.Allocate(kPiece);
    const bool begins_one = reinterpret_cast<uintptr_t>(next) % kBlock == 0;
    // A small block may happen to begin like a large one.
    if (has_prepared || usage >= kSmall) {
      EXPECT_EQ(has_prepared, begins_one);
    }
    if (has_prepared) prepared++;
    memset(next, 7, kPiece);
    last = next;
  }
  EXPECT_EQ(7, last[0]);
}

}  // namespace
}  // namespace leveldb
