#include "pmem/media/bad_blocks.h"

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <string>

#include "pmem/media/bad_block_contents.h"
#include "pmem/media/extent_header.h"
#include "pmem/media/extents.h"
#include "pmem/media/pool_description.h"
#include "testing/pool_bench.h"
#include "util/round.h"

namespace leveldb {

namespace {

using testkit::ExpectError;
using testkit::Medium;
using Bench = testkit::PoolBench;
using Ranges = std::vector<ByteRange>;

constexpr uint64_t kPage = 4096;

struct KeptLines : public Logger {
  void Logv(const char* format, va_list arguments) override {
    char line[512];
    vsnprintf(line, sizeof(line), format, arguments);
    text += std::string(line) + "\n";
  }
  std::string text;
};

}  // namespace

TEST(BadBlocks, TheKernelsListIsRead) {
  EXPECT_EQ(Ranges(), ParseBadBlocks(""));
  EXPECT_EQ((Ranges{{512, 1024}, {8192, 12288}}), ParseBadBlocks("1 1\n16 8\n"));
  EXPECT_EQ((Ranges{{512, 1024}}), ParseBadBlocks("no list\n1 1\n7 0\n9"));
}

TEST(BadBlocks, PiecesOfAFileAreFoundOnTheDevice) {
  const std::vector<FilePiece> pieces = {{0, 1 << 20, 8192}, {8192, 4096, 4096}};
  EXPECT_EQ(Ranges(), InFile(pieces, {{0, 4096}}));
  EXPECT_EQ((Ranges{{512, 1024}}), InFile(pieces, {{(1 << 20) + 512, (1 << 20) + 1024}}));
  // One range begins before a piece and ends in it; one contains a whole piece.
  EXPECT_EQ((Ranges{{0, 512}, {8192, 12288}}),
            InFile(pieces, {{(1 << 20) - 512, (1 << 20) + 512}, {0, 8192}}));
}

TEST(BadBlocks, OverlapsTouchesTheEdges) {
  const Ranges ranges = {{4096, 8192}};
  EXPECT_FALSE(Overlaps(ranges, 0, 4096));
  EXPECT_TRUE(Overlaps(ranges, 0, 4097));
  EXPECT_TRUE(Overlaps(ranges, 8191, 1));
  EXPECT_FALSE(Overlaps(ranges, 8192, 1));
}

class PoolWithBadBlocks : public testing::TestWithParam<PoolKind> {
 protected:
  PoolWithBadBlocks() : bench_(GetParam()) {}

  void SetUp() override {
    ASSERT_TRUE(bench_.Create().ok());
    Extents extents(bench_.pool.get());
    ASSERT_TRUE(extents.Reserve(2, &run_).ok());
    ExtentHeader header;
    header.kind = ExtentKind::kTree;
    header.object = 34;
    header.length = 2;
    WriteExtentHeader(bench_.pool.get(), run_, header);
    ASSERT_TRUE(bench_.pool->persist()->Sync().ok());
    extent_size_ = bench_.pool->extent_size();
    slab_end_ = bench_.pool->slabs().back().end;
    bench_.pool.reset();
  }

  Bench bench_;
  PoolOffset run_ = kNoPoolOffset;
  uint64_t extent_size_ = 0;
  PoolOffset slab_end_ = kNoPoolOffset;
};

INSTANTIATE_TEST_SUITE_P(Kinds, PoolWithBadBlocks,
                         testing::Values(PoolKind::kDirectory, PoolKind::kFile));

TEST_P(PoolWithBadBlocks, FreeExtentsThatHaveOneAreNotUsed) {
  const PoolOffset bad = run_ + 5 * extent_size_ + 3 * kPage;
  const PretendedBadRanges pretended({{bad, bad + kPage}});
  ASSERT_TRUE(bench_.Open().ok());
  Extents extents(bench_.pool.get());
  EXPECT_TRUE(extents.MarkUsed(run_, 2).ok());
  PoolOffset found;
  while (extents.Reserve(1, &found).ok()) {
    EXPECT_FALSE(found <= bad && bad < found + extent_size_) << found;
  }
  EXPECT_EQ(0u, extents.references(bad / extent_size_ * extent_size_));
}

// The file system may give bad blocks to a part by which the pool grows.
TEST(PoolWithBadBlocksLater, ExtentsOfANewPartThatHasOneAreNotUsed) {
  Bench bench(PoolKind::kDirectory);
  bench.options.size = 128 << 20;
  KeptLines log;
  bench.options.info_log = &log;
  ASSERT_TRUE(bench.Create().ok());
  const uint64_t before = (128 << 20) - bench.pool->growth_room();
  const PoolOffset bad = before + (1 << 20) + 3 * kPage;
  ASSERT_LT(bad, 128u << 20);
  const PretendedBadRanges pretended({{bad, bad + kPage}});
  ASSERT_TRUE(bench.pool->Grow(0).ok());
  EXPECT_FALSE(bench.pool->Contains(bad, 1));
  EXPECT_TRUE(bench.pool->Contains(bad + bench.pool->extent_size(), 1));
  EXPECT_TRUE(bench.pool->Contains(bad - bench.pool->extent_size(), 1));
  EXPECT_NE(std::string::npos, log.text.find("at " + std::to_string(bad) + ": the extents"))
      << log.text;
  Extents extents(bench.pool.get());
  PoolOffset found;
  while (extents.Reserve(1, &found).ok()) {
    EXPECT_FALSE(found <= bad && bad < found + bench.pool->extent_size()) << found;
  }
  // The next opening finds the bad block in the extent that was left out.
  bench.pool.reset();
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_FALSE(bench.pool->Contains(bad, 1));
}

TEST_P(PoolWithBadBlocks, ExtentsInUseThatHaveOneAreDamage) {
  const PoolOffset bad = run_ + extent_size_ + 3 * kPage;
  const PretendedBadRanges pretended({{bad, bad + kPage}});
  ASSERT_TRUE(bench_.Open().ok());
  Extents extents(bench_.pool.get());
  const Status s = extents.MarkUsed(run_, 2);
  ExpectError(s, s.IsCorruption(), {"bad blocks", bench_.pool->path()});
}

TEST_P(PoolWithBadBlocks, MetadataThatHasOneIsDamage) {
  for (const PoolOffset bad : {PoolOffset{0}, PoolOffset{1 << 20}}) {
    const PretendedBadRanges pretended({{bad, bad + kPage}});
    const Status s = bench_.Open();
    ExpectError(s, s.IsCorruption(), {"bad blocks", "metadata"});
    PoolDescription description;
    EXPECT_TRUE(DescribePool(bench_.options.path, &description).IsCorruption());
  }
  EXPECT_TRUE(bench_.Open().ok());
}

TEST_P(PoolWithBadBlocks, AreListedWithWhatIsInThem) {
  const PoolOffset in_tree = run_ + extent_size_ + 3 * kPage;
  const PoolOffset free = run_ + 6 * extent_size_;
  const PretendedBadRanges pretended(
      {{kPage, 2 * kPage}, {run_, run_ + kPage}, {in_tree, in_tree + kPage}, {free, free + kPage}});
  std::vector<BadRangeContents> ranges;
  ASSERT_TRUE(DescribeBadRanges(bench_.options.path, &ranges).ok());
  ASSERT_EQ(4u, ranges.size());
  EXPECT_EQ("metadata", ranges[0].contents);
  EXPECT_EQ("unknown", ranges[1].contents);
  // The header of the page's run is lost, too.
  EXPECT_EQ("unknown", ranges[2].contents);
  EXPECT_EQ(in_tree, ranges[2].range.begin);
}

TEST_P(PoolWithBadBlocks, ATreeIsNamed) {
  const PoolOffset in_tree = run_ + extent_size_ + 3 * kPage;
  const PretendedBadRanges pretended({{in_tree, in_tree + kPage}});
  std::vector<BadRangeContents> ranges;
  ASSERT_TRUE(DescribeBadRanges(bench_.options.path, &ranges).ok());
  ASSERT_EQ(1u, ranges.size());
  EXPECT_EQ("tree #34", ranges[0].contents);
}

TEST_P(PoolWithBadBlocks, SalvageReadsZerosThereAndTheRest) {
  const PoolOffset bad = run_ + 3 * kPage;
  const PretendedBadRanges pretended({{bad, bad + kPage}});
  ASSERT_TRUE(bench_.Open().ok());
  // Salvage is refused while the pool is in use.
  std::unique_ptr<Pool> salvage;
  EXPECT_TRUE(Pool::OpenForSalvage(bench_.options, &bench_.id, &salvage).IsIOError());
  memset(bench_.pool->At(run_) + 100, 'x', extent_size_ - 100);
  ASSERT_TRUE(bench_.pool->persist()->Sync().ok());
  bench_.pool.reset();
  const std::string before = testkit::ReadFile(bench_.options.path);

  ASSERT_TRUE(Pool::OpenForSalvage(bench_.options, &bench_.id, &salvage).ok());
  EXPECT_TRUE(salvage->Contains(run_, 2 * extent_size_));
  EXPECT_EQ(std::string(kPage, '\0'), std::string(salvage->At(bad), kPage));
  EXPECT_EQ('x', *salvage->At(bad - 1));
  EXPECT_EQ('x', *salvage->At(bad + kPage));
  ExtentHeader header;
  EXPECT_TRUE(ReadExtentHeader(*salvage, run_, &header).ok());
  EXPECT_EQ(34u, header.object);
  EXPECT_TRUE(salvage->CheckWhole().ok());
  salvage.reset();
  EXPECT_EQ(before, testkit::ReadFile(bench_.options.path));
  const PoolId other = PoolId::Random();
  EXPECT_TRUE(Pool::OpenForSalvage(bench_.options, &other, &salvage).IsInvalidArgument());
}

// Without the root, the headers of extents also tell which pool they belong to.
TEST_P(PoolWithBadBlocks, SalvageDoesWithoutTheRoot) {
  ASSERT_TRUE(bench_.Open().ok());
  const PoolOffset root =
      RoundDown(bench_.pool->OffsetOf(bench_.pool->root()->SlabObject(0)), kPage);
  PoolOffset odd;  // a run whose offset is a multiple of one extent only
  {
    Extents extents(bench_.pool.get());
    ASSERT_TRUE(extents.MarkUsed(run_, 2).ok());
    do {
      ASSERT_TRUE(extents.Reserve(1, &odd).ok());
    } while (odd % (2 * extent_size_) == 0);
    ExtentHeader header;
    header.kind = ExtentKind::kLog;
    header.object = 35;
    WriteExtentHeader(bench_.pool.get(), odd, header);
  }
  ASSERT_TRUE(bench_.pool->persist()->Sync().ok());
  bench_.pool.reset();
  const PretendedBadRanges pretended({{root - kPage, root + 4 * kPage}});
  Status s = bench_.Open();
  ExpectError(s, s.IsCorruption(), {"bad blocks"});
  std::unique_ptr<Pool> salvage;
  s = Pool::OpenForSalvage(bench_.options, &bench_.id, &salvage);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(extent_size_, salvage->extent_size());
  ExtentHeader header;
  ASSERT_TRUE(ReadExtentHeader(*salvage, run_, &header).ok());
  EXPECT_EQ(34u, header.object);
  ASSERT_TRUE(ReadExtentHeader(*salvage, odd, &header).ok());
  EXPECT_EQ(35u, header.object);
  salvage.reset();
  // Nothing belongs to the pool of another database.
  const PoolId other = PoolId::Random();
  EXPECT_TRUE(Pool::OpenForSalvage(bench_.options, &other, &salvage).IsCorruption());
}

}  // namespace leveldb
