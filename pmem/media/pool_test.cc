// Tests creating, opening, describing and removing pools of all kinds, and every way in which that
// fails.
#include "pmem/media/pool.h"
#include "pmem/media/pool_description.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdarg>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "pmem/media/extents.h"
#include "testing/pool_bench.h"
#include "testing/temp_dir.h"

namespace leveldb {

namespace {

using testkit::ExpectError;
using testkit::Medium;
using Bench = testkit::PoolBench;

constexpr uint64_t kSmall = Bench::kBytes;
constexpr const char* kOwner = Bench::kOwner;

// Keeps the lines that were logged.
class LinesLogger : public Logger {
 public:
  void Logv(const char* format, std::va_list ap) override {
    char line[1000];
    vsnprintf(line, sizeof(line), format, ap);
    lines += line + std::string("\n");
  }
  std::string lines;
};

// Runs `body` in a forked child and returns its result.
int InChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class PoolOfAKind : public testing::TestWithParam<std::tuple<PoolKind, Medium>> {
 protected:
  PoolKind kind() const { return std::get<0>(GetParam()); }
  Medium medium() const { return std::get<1>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Kinds, PoolOfAKind,
                         testing::Combine(testing::Values(PoolKind::kDirectory, PoolKind::kFile),
                                          testing::Values(Medium::kMemory, Medium::kDisk)));

}  // namespace

TEST_P(PoolOfAKind, CreatedAndOpenedAgain) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(kind(), bench.pool->kind());
  EXPECT_EQ(bench.id, bench.pool->id());
  EXPECT_EQ(kOwner, bench.pool->owner());
  EXPECT_EQ(0u, bench.pool->epoch());
  EXPECT_EQ(kSmall, bench.pool->ceiling());
  EXPECT_GT(bench.pool->size(), kSmall - (8 << 20));
  const std::vector<Slab> slabs = bench.pool->slabs();
  PoolOffset pool_offset;
  {
    Extents extents(bench.pool.get());
    ASSERT_TRUE(extents.Reserve(2, &pool_offset).ok());
  }
  const std::string bytes(100000, 'b');
  bench.pool->persist()->Copy(bench.pool->At(pool_offset), bytes.data(), bytes.size());
  ASSERT_TRUE(bench.pool->persist()->Sync().ok());
  ASSERT_TRUE(bench.pool->root()->AddLog({7, pool_offset, 99}).ok());
  ASSERT_TRUE(bench.pool->RaiseEpoch().ok());
  EXPECT_EQ(1u, bench.pool->epoch());

  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(bench.id, bench.pool->id());
  EXPECT_EQ(kOwner, bench.pool->owner());
  EXPECT_EQ(1u, bench.pool->epoch());
  EXPECT_FALSE(bench.pool->was_clean());
  EXPECT_EQ(slabs, bench.pool->slabs());
  EXPECT_EQ(bytes, std::string(bench.pool->At(pool_offset), bytes.size()));
  EXPECT_EQ(pool_offset, bench.pool->OffsetOf(bench.pool->At(pool_offset)));
  EXPECT_EQ((std::vector<LogSlot>{{7, pool_offset, 99}}), bench.pool->root()->Logs());
  ASSERT_TRUE(bench.pool->MarkClean().ok());

  ASSERT_TRUE(bench.Open().ok());
  EXPECT_TRUE(bench.pool->was_clean());
  ASSERT_TRUE(bench.pool->RaiseEpoch().ok());
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_FALSE(bench.pool->was_clean());
  EXPECT_EQ(2u, bench.pool->epoch());
}

TEST_P(PoolOfAKind, TheMediumDecides) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  if (bench.options.assume_pmem) {
    EXPECT_EQ(MediumKind::kEmulated, bench.pool->medium());
    EXPECT_NE(std::string::npos, bench.pool->persist()->Name().find("emulated"));
    bench.options.assume_pmem = false;
    ASSERT_TRUE(bench.Open().ok());
  }
  if (testkit::IsPersistentMemory(bench.dir())) {
    EXPECT_EQ(MediumKind::kPersistentMemory, bench.pool->medium());
    EXPECT_TRUE(bench.pool->persist()->SurvivesPowerLoss());
    return;
  }
  EXPECT_EQ(MediumKind::kPageCache, bench.pool->medium());
  EXPECT_EQ("msync", bench.pool->persist()->Name());
  EXPECT_FALSE(bench.pool->persist()->SurvivesPowerLoss());
}

TEST_P(PoolOfAKind, Missing) {
  Bench bench(kind(), medium());
  if (kind() == PoolKind::kDirectory) bench.options.path += "/db-012345.set";
  const Status s = bench.Open();
  ExpectError(s, s.IsNotFound(), {bench.options.path});
}

TEST_P(PoolOfAKind, Busy) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  std::unique_ptr<Pool> again;
  const Status s = Pool::Open(bench.options, &bench.id, &again);
  ExpectError(s, s.IsIOError(), {bench.options.path, "busy"});
  EXPECT_EQ(0, InChild([&bench] {
              std::unique_ptr<Pool> another;
              return Pool::Open(bench.options, &bench.id, &another).IsIOError() ? 0 : 1;
            }));
  EXPECT_TRUE(Pool::Remove(bench.options.path).IsIOError());
  ASSERT_TRUE(bench.Open().ok());
}

TEST_P(PoolOfAKind, OfAnotherDatabase) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  bench.pool.reset();
  const PoolId other = PoolId::Random();
  const Status s = Pool::Open(bench.options, &other, &bench.pool);
  ExpectError(s, s.IsInvalidArgument(),
              {bench.options.path, kOwner, bench.id.Text(), other.Text()});
  EXPECT_TRUE(Pool::Open(bench.options, nullptr, &bench.pool).ok());
}

TEST_P(PoolOfAKind, TooSmall) {
  Bench bench(kind(), medium());
  bench.options.size = Pool::kBytesMin - 1;
  Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {"too small", "8388608"});
  EXPECT_TRUE(bench.IsEmpty());
  bench.options.size = Pool::kBytesMin;
  s = bench.Create();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_GE(bench.pool->size(), 3u << 20);
}

TEST_P(PoolOfAKind, ExtentSizes) {
  for (const uint64_t bad :
       {uint64_t{1}, uint64_t{32} << 10, uint64_t{96} << 10, uint64_t{8} << 20}) {
    Bench bench(kind(), medium());
    bench.options.extent_size = bad;
    EXPECT_TRUE(bench.Create().IsInvalidArgument());
    EXPECT_TRUE(bench.IsEmpty());
  }
  Bench bench(kind(), medium());
  bench.options.extent_size = Pool::kExtentBytesMax;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(Pool::kExtentBytesMax, bench.pool->extent_size());
  bench.options.extent_size = 0;
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(Pool::kExtentBytesMax, bench.pool->extent_size());
}

TEST_P(PoolOfAKind, TheExtentSizeFollowsTheSize) {
  Bench small(kind(), Medium::kMemory);
  ASSERT_TRUE(small.Create().ok());
  EXPECT_EQ(Pool::kExtentBytesMin, small.pool->extent_size());
  Bench large(PoolKind::kDirectory, Medium::kMemory);
  large.options.size = uint64_t{64} << 30;  // a ceiling costs nothing
  ASSERT_TRUE(large.Create().ok());
  EXPECT_EQ(1u << 20, large.pool->extent_size());
}

TEST_P(PoolOfAKind, RemovedAndRemovedAgain) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  bench.pool.reset();
  EXPECT_FALSE(bench.IsEmpty());
  EXPECT_TRUE(Pool::Remove(bench.options.path).ok());
  EXPECT_TRUE(bench.IsEmpty());
  EXPECT_TRUE(Pool::Remove(bench.options.path).ok());
}

TEST_P(PoolOfAKind, RemovedWhileItIsMapped) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  const PoolOffset pool_offset = bench.pool->slabs()[0].begin;
  ASSERT_TRUE(bench.pool->RemoveFiles().ok());
  EXPECT_TRUE(bench.IsEmpty());
  *bench.pool->At(pool_offset) = 'x';
  EXPECT_FALSE(bench.pool->Grow(0).ok());
  EXPECT_EQ('x', *bench.pool->At(pool_offset));
  bench.pool.reset();
  EXPECT_TRUE(bench.IsEmpty());
}

TEST_P(PoolOfAKind, DescribedWhileOpenAndClosed) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  ASSERT_TRUE(bench.pool->root()->AddLog({1, 1, 1}).ok());
  ASSERT_TRUE(bench.pool->RaiseEpoch().ok());
  for (const bool open : {true, false}) {
    if (!open) bench.pool.reset();
    PoolDescription description;
    const Status s = DescribePool(bench.options.path, &description);
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(bench.options.path, description.path);
    EXPECT_EQ(kind(), description.kind);
    EXPECT_EQ(bench.id, description.id);
    EXPECT_EQ(kOwner, description.owner);
    EXPECT_EQ(kSmall, description.bytes);
    EXPECT_GT(description.slab_bytes, kSmall - (8 << 20));
    EXPECT_EQ(kSmall, description.ceiling);
    EXPECT_EQ(Pool::kExtentBytesMin, description.extent_size);
    EXPECT_EQ(1u, description.epoch);
    EXPECT_FALSE(description.clean);
    EXPECT_EQ(1u, description.logs);
    EXPECT_FALSE(description.device.file_system.empty());
  }
}

TEST_P(PoolOfAKind, AnOwnerWithAVeryLongPath) {
  Bench bench(kind(), medium());
  const std::string longest(PoolRoot::kOwnerBytesMax, 'd');
  EXPECT_TRUE(
      Pool::Create(bench.options, longest + "d", bench.id, &bench.pool).IsInvalidArgument());
  EXPECT_TRUE(bench.IsEmpty());
  ASSERT_TRUE(Pool::Create(bench.options, longest, bench.id, &bench.pool).ok());
  EXPECT_EQ(longest, bench.pool->owner());
}

TEST_P(PoolOfAKind, ContainsKnowsItsBounds) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  const Slab slab = bench.pool->slabs().at(0);
  const uint64_t extent = bench.pool->extent_size();
  const PoolOffset first = (slab.begin + extent - 1) / extent * extent;
  const PoolOffset end = slab.end / extent * extent;
  EXPECT_TRUE(bench.pool->Contains(first, 0));
  EXPECT_TRUE(bench.pool->Contains(first, end - first));
  EXPECT_TRUE(bench.pool->Contains(end - 1, 1));
  EXPECT_FALSE(bench.pool->Contains(end, 1));
  EXPECT_FALSE(bench.pool->Contains(first - 1, 1));
  EXPECT_FALSE(bench.pool->Contains(first - 1, 2));
  EXPECT_FALSE(bench.pool->Contains(end - 1, 2));
  EXPECT_FALSE(bench.pool->Contains(0, 1));
  EXPECT_FALSE(bench.pool->Contains(kSmall, 1));
  EXPECT_FALSE(bench.pool->Contains(~PoolOffset{0}, 1));
  EXPECT_FALSE(bench.pool->Contains(first, ~size_t{0}));
  EXPECT_FALSE(bench.pool->Contains(~PoolOffset{0}, ~size_t{0}));
}

TEST_P(PoolOfAKind, SeveralInOneProcess) {
  Bench one(kind(), medium());
  Bench other(kind(), medium());
  ASSERT_TRUE(one.Create().ok());
  ASSERT_TRUE(other.Create().ok());
  memset(one.pool->At(one.pool->slabs()[0].begin), '1', 1000);
  memset(other.pool->At(other.pool->slabs()[0].begin), '2', 1000);
  EXPECT_EQ('1', one.pool->base()[one.pool->slabs()[0].begin]);
  one.pool.reset();
  EXPECT_EQ('2', other.pool->base()[other.pool->slabs()[0].begin]);
}

// A forked child that lives on neither keeps the pool locked nor has the mapping.
TEST_P(PoolOfAKind, AForkedChildDoesNotKeepThePool) {
  Bench bench(kind(), medium());
  if (kind() == PoolKind::kDirectory) bench.options.size = 256 << 20;
  ASSERT_TRUE(bench.Create().ok());
  if (kind() == PoolKind::kDirectory) {
    ASSERT_TRUE(bench.pool->Grow(0).ok());
  }
  int ends[2];
  ASSERT_EQ(0, pipe(ends));
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    char byte;
    _exit(static_cast<int>(read(ends[0], &byte, 1)));
  }
  close(ends[0]);
  const Status s = bench.Open();
  EXPECT_TRUE(s.ok()) << s.ToString();
  close(ends[1]);
  waitpid(child, nullptr, 0);
}

TEST_P(PoolOfAKind, Prefaulted) {
  Bench bench(kind(), medium());
  bench.options.size = 128 << 20;
  bench.options.prefault = true;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_GT(bench.pool->size(), bench.options.size - (8 << 20));
  EXPECT_EQ(0u, bench.pool->growth_room());
}

TEST_P(PoolOfAKind, SaysInTheLogWhatItIsOn) {
  LinesLogger logger;
  Bench bench(kind(), medium());
  bench.options.info_log = &logger;
  ASSERT_TRUE(bench.Create().ok());
  const std::string line = logger.lines;
  EXPECT_NE(std::string::npos, line.find(bench.options.path)) << line;
  EXPECT_NE(std::string::npos, line.find(bench.options.assume_pmem ? "emulated" : "synced"))
      << line;
  EXPECT_NE(std::string::npos, line.find(bench.pool->device().file_system)) << line;
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(line + line, logger.lines);
}

}  // namespace leveldb
