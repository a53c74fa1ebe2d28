// Tests directory pools and file pools: their names, modes and sizes, and what may exist at their
// paths already.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pmem/media/device_info.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_checks.h"
#include "testing/pool_bench.h"
#include "testing/temp_dir.h"
#include "util/coding.h"

namespace leveldb {

namespace {

namespace fs = std::filesystem;
using testkit::ExpectError;
using testkit::Medium;
using Bench = testkit::PoolBench;

constexpr uint64_t kSmall = Bench::kBytes;
constexpr const char* kOwner = Bench::kOwner;

mode_t ModeOf(const fs::path& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
}

}  // namespace

// Tests the alignments that libpmemobj's way of mapping allows.
TEST(DevicePool, OfOneGibThatIsAlignedToAsMuchIsRefused) {
  constexpr uint64_t kGib = 1ull << 30;
  EXPECT_TRUE(CheckAlignment("/dev/dax0.0", 64 << 20, 4096).ok());
  EXPECT_TRUE(CheckAlignment("/dev/dax0.0", 64 << 20, 2 << 20).ok());
  EXPECT_TRUE(CheckAlignment("/dev/dax0.0", 2 * kGib, kGib).ok());
  const Status s = CheckAlignment("/dev/dax0.0", kGib, kGib);
  ExpectError(s, s.IsInvalidArgument(), {"/dev/dax0.0", "2 GiB", "--align=2M"});
}

TEST(DevicePool, InARegionThatKeepsNothingIsRefused) {
  DeviceInfo device;
  device.namespace_name = "namespace0.0";
  EXPECT_TRUE(CheckRegion("/dev/dax0.0", device).ok());
  device.region_is_read_only = true;
  const Status s = CheckRegion("/dev/dax0.0", device);
  ExpectError(s, s.IsIOError(), {"/dev/dax0.0", "namespace0.0", "bushstore repair"});
}

// Directory pools.

TEST(DirectoryPool, NamesAndModes) {
  Bench bench(PoolKind::kDirectory);
  ASSERT_TRUE(bench.Create().ok());
  const std::string name = "the_database-" + bench.id.Text().substr(0, 12);
  EXPECT_EQ(bench.dir() + "/" + name + ".set", bench.pool->path());
  EXPECT_EQ(0600u, ModeOf(bench.dir() + "/" + name + ".set"));
  EXPECT_EQ(0700u, ModeOf(bench.dir() + "/" + name + ".pool"));
  EXPECT_EQ(0600u, ModeOf(bench.dir() + "/" + name + ".pool/000000.pmem"));
}

TEST(DirectoryPool, NamesOfOddOwners) {
  PoolId id;
  const std::string zeros = "-000000000000.set";
  EXPECT_EQ("d/db" + zeros, DirectoryPoolPath("d", "/a/b/db", id));
  EXPECT_EQ("d/db" + zeros, DirectoryPoolPath("d", "/a/b/db//", id));
  EXPECT_EQ("d/db" + zeros, DirectoryPoolPath("d", "db", id));
  EXPECT_EQ("d/" + zeros, DirectoryPoolPath("d", "", id));
  EXPECT_EQ("d/" + zeros, DirectoryPoolPath("d", "/", id));
  EXPECT_EQ("d/___" + zeros, DirectoryPoolPath("d", "/x/. \n", id));
  EXPECT_EQ("d/" + std::string(40, 'n') + zeros,
            DirectoryPoolPath("d", "/" + std::string(300, 'n'), id));
}

TEST(DirectoryPool, ThereAlready) {
  Bench bench(PoolKind::kDirectory);
  const std::string directory = bench.options.path;
  ASSERT_TRUE(bench.Create().ok());
  bench.pool.reset();
  bench.options.path = directory;
  const Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {"exists already"});
  bench.options.path = DirectoryPoolPath(directory, kOwner, bench.id);
  EXPECT_TRUE(bench.Open().ok());
}

TEST(DirectoryPool, WithoutADirectory) {
  Bench bench(PoolKind::kDirectory);
  bench.options.path = bench.dir() + "/not/there";
  bench.options.kind = PoolKind::kDirectory;
  const Status s = bench.Create();
  ExpectError(s, !s.ok(), {bench.options.path});
}

TEST(DirectoryPool, MayBeMoved) {
  Bench bench(PoolKind::kDirectory);
  const fs::path first = fs::path(bench.dir()) / "first";
  const fs::path second = fs::path(bench.dir()) / "second";
  fs::create_directory(first);
  bench.options.path = first;
  ASSERT_TRUE(bench.Create().ok());
  bench.pool.reset();
  fs::rename(first, second);
  bench.options.path = second / fs::path(bench.options.path).filename();
  EXPECT_TRUE(bench.Open().ok());
  // The parts without the set file are sufficient, too.
  bench.pool.reset();
  fs::remove(bench.options.path);
  EXPECT_TRUE(bench.Open().ok());
}

TEST(DirectoryPool, RelativePaths) {
  Bench bench(PoolKind::kDirectory);
  const fs::path before = fs::current_path();
  fs::current_path(bench.dir());
  bench.options.path = ".";
  EXPECT_TRUE(bench.Create().ok());
  EXPECT_TRUE(bench.Open().ok());
  fs::current_path(before);
}

TEST(DirectoryPool, TheCeilingCanBeMoved) {
  Bench bench(PoolKind::kDirectory);
  bench.options.size = 96 << 20;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(32u << 20, bench.pool->growth_room());
  ASSERT_TRUE(bench.pool->Grow(0).ok());
  EXPECT_EQ(0u, bench.pool->growth_room());
  Status s = bench.pool->Grow(0);
  ExpectError(s, s.IsIOError(), {"ceiling"});

  bench.options.size = 512 << 20;
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(512u << 20, bench.pool->ceiling());
  ASSERT_TRUE(bench.pool->Grow(0).ok());
  ASSERT_TRUE(bench.pool->Grow(200 << 20).ok());
  memset(bench.pool->At(bench.pool->slabs().back().begin), 1,
         bench.pool->slabs().back().end - bench.pool->slabs().back().begin);
  const uint64_t size = bench.pool->size();
  EXPECT_GT(size, 340u << 20);

  bench.options.size = 0;
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(512u << 20, bench.pool->ceiling());
  EXPECT_EQ(size, bench.pool->size());

  bench.options.size = 1 << 20;  // lower than it has grown
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(0u, bench.pool->growth_room());
  EXPECT_EQ(size, bench.pool->size());
}

TEST(DirectoryPool, GrowsInLargerStepsTheLargerItIs) {
  Bench bench(PoolKind::kDirectory);
  bench.options.size = uint64_t{64} << 30;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(64u << 20, bench.pool->growth_step());
  ASSERT_TRUE(bench.pool->Grow(1 << 30).ok());
  EXPECT_NEAR(1.125 * (1 << 30) / 8, static_cast<double>(bench.pool->growth_step()), 8 << 20);
}

// The slab table is large enough for any ceiling that there is memory for.
TEST(DirectoryPool, GrowsToItsCeiling) {
  Bench bench(PoolKind::kDirectory);
  bench.options.size = uint64_t{2} << 30;
  ASSERT_TRUE(bench.Create().ok());
  Status s;
  while ((s = bench.pool->Grow(0)).ok()) {
  }
  EXPECT_EQ(0u, bench.pool->growth_room()) << s.ToString();
}

// Raising the ceiling by a little many times uses up slabs; the last slabs are large enough.
TEST(DirectoryPool, ALargeCeilingAfterManySmallOnes) {
  Bench bench(PoolKind::kDirectory);
  bench.options.extent_size = 64 << 10;
  ASSERT_TRUE(bench.Create().ok());
  while (bench.pool->slabs().size() < PoolRoot::kSlabsMax - 2) {
    bench.options.size = bench.pool->ceiling() + (2 << 20);
    ASSERT_TRUE(bench.Open().ok());
    ASSERT_TRUE(bench.pool->Grow(0).ok());
  }
  bench.options.size = bench.pool->ceiling() + (600 << 20);
  ASSERT_TRUE(bench.Open().ok());
  Status s;
  while ((s = bench.pool->Grow(0)).ok()) {
  }
  EXPECT_EQ(0u, bench.pool->growth_room()) << s.ToString();
  bench.options.size = bench.pool->ceiling() + (2 << 20);
  ASSERT_TRUE(bench.Open().ok());
  s = bench.pool->Grow(0);
  ExpectError(s, s.IsIOError(), {"table of slabs is full"});
}

TEST(DirectoryPool, Listed) {
  Bench bench(PoolKind::kDirectory);
  std::vector<std::string> paths;
  ASSERT_TRUE(Pool::ListPools(bench.dir(), &paths).ok());
  EXPECT_TRUE(paths.empty());
  const std::string directory = bench.options.path;
  ASSERT_TRUE(bench.Create().ok());
  std::unique_ptr<Pool> other;
  bench.options.path = directory;
  ASSERT_TRUE(Pool::Create(bench.options, "/a", PoolId::Random(), &other).ok());
  // Leftovers of an interrupted removal, and a file that is no pool.
  fs::create_directory(directory + "/z-left.pool");
  testkit::WriteFile(directory + "/notes.txt", "nothing");
  ASSERT_TRUE(Pool::ListPools(directory, &paths).ok());
  EXPECT_EQ(
      (std::vector<std::string>{other->path(), bench.pool->path(), directory + "/z-left.set"}),
      paths);
  EXPECT_TRUE(Pool::Remove(directory + "/z-left.set").ok());
  ASSERT_TRUE(Pool::ListPools(directory, &paths).ok());
  EXPECT_EQ(2u, paths.size());
  EXPECT_TRUE(Pool::ListPools(directory + "/nowhere", &paths).IsNotFound());
}

// File pools.

TEST(FilePool, ModeAndSize) {
  Bench bench(PoolKind::kFile);
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(0600u, ModeOf(bench.options.path));
  EXPECT_EQ(kSmall, fs::file_size(bench.options.path));
  const Status s = bench.pool->Grow(0);
  ExpectError(s, s.IsIOError(), {"fixed"});
}

TEST(FilePool, InAFileThatIsThere) {
  // The file is empty, or blank and as long as requested.
  for (const uint64_t length : {uint64_t{0}, kSmall}) {
    for (const uint64_t size : {uint64_t{0}, kSmall}) {
      if (length == 0 && size == 0) continue;
      Bench bench(PoolKind::kFile);
      testkit::WriteFile(bench.options.path, "");
      fs::resize_file(bench.options.path, length);
      bench.options.size = size;
      const Status s = bench.Create();
      ASSERT_TRUE(s.ok()) << s.ToString();
      EXPECT_EQ(kSmall, fs::file_size(bench.options.path));
      EXPECT_TRUE(bench.Open().ok());
    }
  }
}

TEST(FilePool, NotInAFileThatHoldsSomething) {
  Bench bench(PoolKind::kFile);
  const std::string contents = "letters to grandmother" + std::string(kSmall, '\0');
  testkit::WriteFile(bench.options.path, contents);
  bench.options.size = 0;
  const Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {bench.options.path, "not empty"});
  EXPECT_EQ(contents, testkit::ReadFile(bench.options.path));

  bench.options.size = 0;
  const Status opened = bench.Open();
  ExpectError(opened, opened.IsCorruption(), {bench.options.path, "no pool of ours"});
  EXPECT_EQ(contents, testkit::ReadFile(bench.options.path));
}

TEST(FilePool, NotInAFileOfAnotherSize) {
  Bench bench(PoolKind::kFile);
  testkit::WriteFile(bench.options.path, std::string(10 << 20, '\0'));
  const Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {"10485760", "67108864"});
  bench.options.size = 0;
  EXPECT_TRUE(bench.Create().ok());
}

TEST(FilePool, ThereAlready) {
  Bench bench(PoolKind::kFile);
  ASSERT_TRUE(bench.Create().ok());
  ASSERT_TRUE(bench.pool->RaiseEpoch().ok());
  bench.pool.reset();
  EXPECT_TRUE(bench.Create().IsInvalidArgument());
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(1u, bench.pool->epoch());
}

TEST(FilePool, APathThatIsNoFile) {
  Bench bench(PoolKind::kFile);
  bench.options.path = "/dev/null";
  EXPECT_FALSE(bench.Create().ok());
  EXPECT_FALSE(bench.Open().ok());
  bench.options.path = bench.dir();
  bench.options.kind = PoolKind::kFile;
  EXPECT_FALSE(bench.Create().ok());
  EXPECT_FALSE(bench.Open().ok());
}

// Emulated persistent memory.

TEST(Pool, AssumePmemIsForMemory) {
  Bench bench(PoolKind::kDirectory, Medium::kDisk);
  if (testkit::IsInMemory(bench.dir())) GTEST_SKIP() << "there is no disk";
  if (testkit::IsPersistentMemory(bench.dir())) GTEST_SKIP() << "this is persistent memory";
  bench.options.assume_pmem = true;
  const Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {"assume_pmem"});
  EXPECT_TRUE(bench.IsEmpty());
  bench.options.assume_pmem_anywhere = true;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(MediumKind::kEmulated, bench.pool->medium());
}

// Pools that were created when unsafe shutdowns were still counted.

namespace {

// Offsets in libpmemobj's header.
struct OldHeader {
  static constexpr size_t kBytes = 4096;
  static constexpr size_t kIncompatibleAt = 16;
  static constexpr size_t kSumAt = kBytes - 8;
  static constexpr char kShutdownState = 4;
};

// Returns libpmemobj's sum over its header.
uint64_t SumOf(const std::string& header) {
  uint32_t low = 0;
  uint32_t high = 0;
  for (size_t at = 0; at < OldHeader::kBytes; at += 4) {
    low += at < OldHeader::kBytes / 2 ? LoadFixed32(header.data() + at) : 0;
    high += low;
  }
  return uint64_t{high} << 32 | low;
}

}  // namespace

TEST(Pmdk2, APoolThatCountsShutdownsIsOpened) {
  for (const PoolKind kind : {PoolKind::kDirectory, PoolKind::kFile}) {
    Bench bench(kind);
    ASSERT_TRUE(bench.Create().ok());
    bench.pool.reset();
    const std::string path =
        kind == PoolKind::kFile
            ? bench.options.path
            : bench.options.path.substr(0, bench.options.path.size() - 4) + ".pool/000000.pmem";
    std::string bytes = testkit::ReadFile(path);
    ASSERT_EQ(SumOf(bytes), LoadFixed64(bytes.data() + OldHeader::kSumAt));
    bytes[OldHeader::kIncompatibleAt] |= OldHeader::kShutdownState;
    StoreFixed64(bytes.data() + OldHeader::kSumAt, SumOf(bytes));
    testkit::WriteFile(path, bytes);
    const Status s = bench.Open();
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(0, testkit::ReadFile(path)[OldHeader::kIncompatibleAt] & OldHeader::kShutdownState);
  }
}

}  // namespace leveldb
