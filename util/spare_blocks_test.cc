#include "util/spare_blocks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace leveldb {
namespace {

TEST(SpareBlocksTest, AreAlignedAndApart) {
  SpareBlocks& spare = SpareBlocks::Get();
  std::vector<char*> taken;
  for (int i = 0; i < 10; i++) {
    char* const block = spare.Take();
    ASSERT_NE(block, nullptr);
    ASSERT_EQ(0u, reinterpret_cast<uintptr_t>(block) % SpareBlocks::kBlockBytes);
    memset(block, i, SpareBlocks::kBlockBytes);
    taken.push_back(block);
  }
  for (size_t i = 0; i < taken.size(); i++) {
    EXPECT_EQ(static_cast<char>(i), taken[i][0]);
    EXPECT_EQ(static_cast<char>(i), taken[i][SpareBlocks::kBlockBytes - 1]);
    spare.Give(taken[i]);
  }
}

// After all blocks were taken, new ones become available.
TEST(SpareBlocksTest, AreMadeReadyAhead) {
  SpareBlocks& spare = SpareBlocks::Get();
  std::vector<char*> taken;
  for (int round = 0; round < 3; round++) {
    do {
      taken.push_back(spare.Take());
      ASSERT_NE(taken.back(), nullptr);
    } while (spare.Count() > 0);
    while (spare.Count() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (char* const block : taken) spare.Give(block);
}

TEST(SpareBlocksTest, AreOfThreadsThatShareThem) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([i] {
      for (int round = 0; round < 30; round++) {
        char* const a = SpareBlocks::Get().Take();
        char* const b = SpareBlocks::Get().Take();
        memset(a, i, 100);
        memset(b, i + 10, 100);
        EXPECT_EQ(static_cast<char>(i), a[99]);
        EXPECT_EQ(static_cast<char>(i + 10), b[99]);
        SpareBlocks::Get().Give(a);
        SpareBlocks::Get().Give(b);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace leveldb
