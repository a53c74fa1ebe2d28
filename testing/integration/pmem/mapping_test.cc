// What a process maps: the persistent-memory libraries only when it uses the tier, and the pool at
// any free address.

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

// Returns the address at which the first mapping whose line contains `name` begins; 0 if there is
// none.
uint64_t MappedAt(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(name) != std::string::npos) {
      return std::strtoull(line.c_str(), nullptr, 16);
    }
  }
  return 0;
}

// Runs in a process of its own. Returns whether all expectations hold.
bool LibrariesComeWithTheFirstPool() {
  TierStore store(kTinyPool);
  bool good = store.OpenPlainly().ok() && store.db()->Put(WriteOptions(), "key", "value").ok();
  store.Close();
  for (const char* const name : {"libpmemobj", "libpmem.", "libndctl", "libdaxctl"}) {
    if (MappedAt(name) != 0) {
      std::fprintf(stderr, "%s is loaded before a pool is used\n", name);
      good = false;
    }
  }
  store.pmem.convert = true;
  return good && store.Open().ok() && MappedAt("libpmemobj") != 0;
}

TEST(Mapping, OfLibrariesComesWithTheFirstPool) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(LibrariesComeWithTheFirstPool() ? 0 : 1), ::testing::ExitedWithCode(0),
              "");
}

// A pool holds no addresses, so it can be mapped at any.
TEST(Mapping, OfThePoolMayBeAnywhere) {
  TierStore store(kTinyPool);
  History history(AnnouncedSeed(), 2000);
  uint64_t taken = 0;
  for (int session = 0; session < 4; ++session) {
    ASSERT_OK(store.Open());
    const uint64_t base = MappedAt(store.pools());
    ASSERT_NE(base, 0u);
    ASSERT_NE(base, taken);
    ASSERT_OK(store.CheckAt(history));
    ASSERT_OK(store.Write(&history, 60));
    if (session % 2 == 0) {
      store.Flush();
    }
    store.Close();
    // Another mapping is at the address the next time.
    constexpr size_t kPage = 4096;
    void* const place = reinterpret_cast<void*>(base);
    ASSERT_EQ(
        ::mmap(place, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
        place);
    taken = base;
  }
  ASSERT_OK(store.Check());
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
