#include "benchmarks/tier_options.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb::bench {
namespace {

TEST(TierOptionsTest, SizesWithAndWithoutUnits) {
  const struct {
    const char* text;
    uint64_t bytes;
  } good[] = {{"0", 0},
              {"4096", 4096},
              {"64K", 64 << 10},
              {"64k", 64 << 10},
              {"512M", 512 << 20},
              {"8G", uint64_t{8} << 30},
              {"18446744073709551615", UINT64_MAX},
              {"17179869183G", uint64_t{17179869183} << 30}};
  for (const auto& [text, bytes] : good) {
    uint64_t parsed = 1;
    EXPECT_TRUE(ParseSize(text, &parsed)) << text;
    EXPECT_EQ(bytes, parsed) << text;
  }
  for (const char* text : {"", "K", "-1", "1.5G", "8GB", "8 G", "0x10", "18446744073709551616",
                           "17179869184G", "18014398509481984K"}) {
    uint64_t untouched = 77;
    EXPECT_FALSE(ParseSize(text, &untouched)) << text;
    EXPECT_EQ(77u, untouched) << text;
  }
}

TEST(TierOptionsTest, SizesAreReadable) {
  EXPECT_EQ("0 bytes", FormatSize(0));
  EXPECT_EQ("1023 bytes", FormatSize(1023));
  EXPECT_EQ("1 KiB", FormatSize(1024));
  EXPECT_EQ("1.5 MiB", FormatSize(3 << 19));
  EXPECT_EQ("8 GiB", FormatSize(uint64_t{8} << 30));
}

TEST(TierOptionsTest, SharesOutOfRange) {
  const struct {
    const char* words;
    void (*spoil)(PmemOptions* pmem);
  } cases[] = {
      {"--gc_ratio must be from 0.01", [](PmemOptions* p) { p->gc_ratio = 0; }},
      {"--gc_ratio must be from 0.01", [](PmemOptions* p) { p->gc_ratio = 1.5; }},
      {"--spill_start must be from 0 to 1", [](PmemOptions* p) { p->spill_start = 2; }},
      {"--spill_stop must be from 0 to 1", [](PmemOptions* p) { p->spill_stop = -1; }},
      {"--spill_stop must be at most", [](PmemOptions* p) { p->spill_stop = 0.9; }},
      {"--pm_size must be at least 8M", [](PmemOptions* p) { p->size = 1 << 20; }},
      {"--wal_persist_bytes must be at most 1G",
       [](PmemOptions* p) { p->wal_persist_bytes = uint64_t{2} << 30; }},
  };
  EXPECT_EQ("", FindTierMistake(PmemOptions()));
  for (const auto& bad : cases) {
    PmemOptions options;
    bad.spoil(&options);
    EXPECT_EQ(0u, FindTierMistake(options).find(bad.words)) << FindTierMistake(options);
  }
}

TEST(TierOptionsTest, MistakesNameTheOptionAsItIsWritten) {
  PmemOptions options;
  options.gc_ratio = 2;
  EXPECT_EQ(0u, FindTierMistake(options, "leveldb.").find("leveldb.gc_ratio must be"));
}

TEST(TierOptionsTest, TmpfsIsToldFromDisks) {
  EXPECT_FALSE(IsOnTmpfs("/proc"));
  EXPECT_FALSE(IsOnTmpfs("/dev/null"));
  EXPECT_FALSE(IsOnTmpfs("/proc/no/such/file"));
  EXPECT_FALSE(IsOnTmpfs(""));
  // A file that does not exist yet will be on the file system of its directory.
  EXPECT_EQ(IsOnTmpfs("/dev/shm"), IsOnTmpfs("/dev/shm/no/such/file"));
}

}  // namespace
}  // namespace leveldb::bench
