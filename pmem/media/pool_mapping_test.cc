// The addresses of a pool belong to it alone from its opening to its end, also while it grows.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "pmem/media/pool.h"
#include "pmem/media/steady_mmap.h"
#include "testing/pool_bench.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace leveldb {

namespace {

using testkit::Medium;

constexpr uint64_t kPage = 4096;

// Returns true if the page was free, and maps it then.
bool TakeIfFree(char* page) {
  void* const taken =
      mmap(page, kPage, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (taken == page) return true;
  // Kernels that do not know the flag treat the address as a hint.
  if (taken != MAP_FAILED) munmap(taken, kPage);
  return false;
}

class PoolMapping : public testing::TestWithParam<Medium> {};

INSTANTIATE_TEST_SUITE_P(Media, PoolMapping, testing::Values(Medium::kMemory, Medium::kDisk));

TEST_P(PoolMapping, GrowthLeavesNoAddressToOthersForAMoment) {
  constexpr uint64_t kCeiling = 2ull << 30;
  constexpr int kGrowths = 8;
  testkit::PoolBench bench(PoolKind::kDirectory, GetParam());
  bench.options.size = kCeiling;
  ASSERT_TRUE(bench.Create().ok());
  Pool* const pool = bench.pool.get();
  const auto next_page = [&] { return pool->base() + (kCeiling - pool->growth_room()); };
  std::atomic<char*> watched{next_page()};
  std::atomic<int> found_free{0};
  int growths = 0;
  {
    testkit::Threads threads;
    threads.Repeat([&] {
      if (TakeIfFree(watched.load())) found_free++;
    });
    while (growths < kGrowths && pool->Grow(0).ok()) {
      growths++;
      watched = next_page();
    }
  }
  EXPECT_EQ(kGrowths, growths);
  EXPECT_EQ(0, found_free.load());
}

// The memory at the addresses stays mapped after a call that was refused.
TEST_P(PoolMapping, ARefusedMappingLeavesWhatIsThere) {
  const testkit::TempDir dir(GetParam());
  const std::string path = dir / "part";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(0, ftruncate(fd, kPage));
  void* const reserved =
      mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(MAP_FAILED, reserved);
  memcpy(reserved, "still here", 11);

  const int with_sync = MAP_SHARED_VALIDATE | MAP_SYNC | MAP_FIXED;
  void* const synced = SteadyMmap(reserved, kPage, PROT_READ | PROT_WRITE, with_sync, fd, 0);
  if (synced == MAP_FAILED) {
    EXPECT_TRUE(errno == EOPNOTSUPP || errno == EINVAL) << strerror(errno);
    EXPECT_STREQ("still here", static_cast<char*>(reserved));
    EXPECT_EQ(reserved,
              SteadyMmap(reserved, kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0));
  }
  EXPECT_STREQ("", static_cast<char*>(reserved));
  munmap(reserved, kPage);
  close(fd);
}

}  // namespace
}  // namespace leveldb
