#include "pmem/bptree/leaf_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "pmem/bptree/builder.h"
#include "pmem/bptree/tree.h"
#include "pmem/bptree/tree_meta.h"
#include "pmem/bptree/tree_testing.h"
#include "pmem/media/extent_header.h"
#include "testing/comparators.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Scaled;
using testkit::ScratchPool;

constexpr uint64_t kExtent = 64 << 10;
constexpr uint64_t kNumber = 12;

class LeafScanTest : public testing::Test {
 protected:
  LeafScanTest() : maker_(AnnouncedSeed()) { options_ = Of(kNumber); }

  TreeBuildOptions Of(uint64_t number) {
    TreeBuildOptions options;
    options.context.pool = scratch_.pool();
    options.context.extents = scratch_.extents();
    options.context.comparator = &comparator_;
    options.number = number;
    options.leaf_bytes = 1024;
    return options;
  }

  char* At(PoolOffset pool_offset) { return scratch_.pool()->At(pool_offset); }
  Random& random() { return *maker_.random(); }
  void Damage(PoolOffset pool_offset) {
    *At(pool_offset) = static_cast<char>(*At(pool_offset) ^ 4);
  }

  // Returns the leaves of a tree according to its index, in order of pool offsets.
  std::vector<LeafSpot> Leaves(const TreeRecord& record) {
    std::unique_ptr<TreeMeta> meta;
    EXPECT_TRUE(ReadTreeMeta(options_.context, record, &meta).ok());
    std::vector<LeafSpot> leaves = meta->leaves;
    std::sort(leaves.begin(), leaves.end(), [](const LeafSpot& a, const LeafSpot& b) {
      return a.pool_offset() < b.pool_offset();
    });
    return leaves;
  }

  LeafScan Scan(const TreeRecord& record) {
    return LeafScan(scratch_.pool(), record.number, record.salt);
  }

  // Expects that exactly those leaves are found, without gaps.
  void ExpectFound(const TreeRecord& record, const std::vector<LeafSpot>& leaves) {
    LeafScan scan = Scan(record);
    for (const LeafSpot& leaf : leaves) {
      ASSERT_TRUE(scan.Next());
      ASSERT_EQ(leaf.pool_offset(), scan.pool_offset());
      ASSERT_EQ(leaf.size(), scan.leaf().size());
      ASSERT_EQ(0u, scan.gap_bytes());
    }
    ASSERT_FALSE(scan.Next());
    ASSERT_FALSE(scan.Next());
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  EntryMaker maker_;
  ScratchPool scratch_{32 << 20, kExtent};
  TreeBuildOptions options_;
};

TEST_F(LeafScanTest, FindsTheLeavesOfEachOfManyTrees) {
  std::vector<TreeRecord> records(6);
  std::vector<TreePtr> trees;
  for (size_t i = 0; i < records.size(); i++) {
    TreeBuildOptions options = Of(kNumber + i);
    options.leaf_bytes = kLeafUnit << i;
    trees.push_back(BuildTree(options, maker_.Make(comparator_, 1000), &records[i]));
  }
  for (const TreeRecord& record : records) {
    const std::vector<LeafSpot> leaves = Leaves(record);
    ASSERT_GT(leaves.size(), 4u);
    ExpectFound(record, leaves);
  }
}

TEST_F(LeafScanTest, FindsTheLongestLeavesThatAreShared) {
  options_.leaf_bytes = kLeafBytesMax;
  TreeRecord record;
  const TreePtr tree = BuildTree(options_, maker_.Make(comparator_, 20000), &record);
  ExpectFound(record, Leaves(record));
}

TEST_F(LeafScanTest, FindsHugeEntries) {
  Entries entries;
  for (int i = 0; i < 9; i++) {
    const size_t size = i % 3 == 0 ? 10 : kExtent * static_cast<size_t>(i) + random().Uniform(1000);
    entries.emplace_back(InternalKey(std::to_string(i), 1, kTypeValue).Encode().ToString(),
                         maker_.Bytes(size));
  }
  TreeRecord record;
  const TreePtr tree = BuildTree(options_, entries, &record);
  const std::vector<LeafSpot> leaves = Leaves(record);
  ExpectFound(record, leaves);
  const auto longest =
      std::max_element(leaves.begin(), leaves.end(),
                       [](const LeafSpot& a, const LeafSpot& b) { return a.size() < b.size(); });
  Damage(longest->pool_offset() + longest->size() / 2);
  uint64_t found = 0;
  LeafScan scan = Scan(record);
  while (scan.Next()) found++;
  EXPECT_EQ(leaves.size() - 1, found);
}

// The bytes that an extent held before it was reserved again belong to another tree, whatever its
// number.
TEST_F(LeafScanTest, FindsNothingOfOtherTreesAndEarlierLives) {
  for (int life = 0; life < 3; life++) {
    for (const uint64_t number : {kNumber, kNumber + 1}) {
      BuildTree(Of(number), maker_.Make(comparator_, 3000));
    }
  }
  TreeRecord record;
  const TreePtr tree = BuildTree(options_, maker_.Make(comparator_, 300), &record);
  ExpectFound(record, Leaves(record));
  TreeRecord other = record;
  other.salt++;
  ExpectFound(other, {});
  other = record;
  other.number++;
  ExpectFound(other, {});
}

TEST_F(LeafScanTest, TellsTheGapsThatDamagedLeavesLeave) {
  TreeRecord record;
  const TreePtr tree = BuildTree(options_, maker_.Make(comparator_, 3000), &record);
  const std::vector<LeafSpot> leaves = Leaves(record);
  ASSERT_GT(leaves.size(), 60u);
  // Chooses leaves that are followed by others of the run.
  const auto is_followed = [&](size_t i) {
    return leaves[i].pool_offset() + leaves[i].size() == leaves[i + 1].pool_offset();
  };
  std::vector<size_t> damaged;
  for (size_t i : {0, 20, 40}) {
    while (!is_followed(i) || !is_followed(i + 1)) i++;
    damaged.push_back(i);
  }
  damaged.push_back(damaged.back() + 1);
  uint64_t lost_bytes = 0;
  for (const size_t i : damaged) {
    Damage(leaves[i].pool_offset() + random().Uniform(kLeafHeaderSize));
    lost_bytes += leaves[i].size();
  }
  uint64_t gap_bytes = 0;
  LeafScan scan = Scan(record);
  for (size_t i = 0; i < leaves.size(); i++) {
    if (std::count(damaged.begin(), damaged.end(), i) > 0) continue;
    ASSERT_TRUE(scan.Next());
    ASSERT_EQ(leaves[i].pool_offset(), scan.pool_offset());
    gap_bytes += scan.gap_bytes();
  }
  EXPECT_FALSE(scan.Next());
  EXPECT_EQ(lost_bytes, gap_bytes);
}

// A run filled by an attacker: bytes that claim to be leaves of a certain length.
class ForgedRunTest : public LeafScanTest {
 protected:
  static constexpr uint64_t kSalt = 77;

  void MakeRun(uint32_t length) {
    ASSERT_TRUE(scratch_.extents()->Reserve(length, &run_).ok());
    end_ = run_ + length * kExtent;
    memset(At(run_), 0, end_ - run_);
    ExtentHeader header;
    header.kind = ExtentKind::kTree;
    header.object = kNumber;
    header.salt = kSalt;
    header.length = length;
    WriteExtentHeader(scratch_.pool(), run_, header);
  }

  void StoreHeader(PoolOffset pool_offset, uint64_t used, uint16_t count) {
    StoreFixed32(At(pool_offset) + 4, static_cast<uint32_t>(used));
    StoreFixed16(At(pool_offset) + 8, count);
    At(pool_offset)[12] = 8;
  }
  void StoreSum(PoolOffset pool_offset) {
    StoreFixed32(At(pool_offset),
                 LeafCrc(At(pool_offset), LoadFixed32(At(pool_offset) + 4), kSalt, pool_offset));
  }

  LeafScan Scan() { return LeafScan(scratch_.pool(), kNumber, kSalt); }

  PoolOffset run_ = kNoPoolOffset;
  PoolOffset end_ = kNoPoolOffset;
};

TEST_F(ForgedRunTest, ALeafEndsWithItsRun) {
  MakeRun(2);
  StoreHeader(run_ + kLeafUnit, kExtent, 1);
  StoreSum(run_ + kLeafUnit);
  StoreHeader(end_ - kLeafUnit, kLeafUnit, 3);
  StoreSum(end_ - kLeafUnit);
  LeafScan scan = Scan();
  ASSERT_TRUE(scan.Next());
  EXPECT_EQ(run_ + kLeafUnit, scan.pool_offset());
  EXPECT_EQ(kExtent, scan.leaf().size());
  ASSERT_TRUE(scan.Next());
  EXPECT_EQ(end_ - kLeafUnit, scan.pool_offset());
  EXPECT_EQ(kLeafUnit, scan.leaf().size());
  EXPECT_FALSE(scan.Next());

  PoolOffset neighbour;  // so that the bytes after the run can be read
  ASSERT_TRUE(scratch_.extents()->Reserve(1, &neighbour).ok());
  ASSERT_EQ(end_, neighbour);
  StoreHeader(end_ - kLeafUnit, kLeafUnit + 1, 3);
  StoreSum(end_ - kLeafUnit);
  LeafScan again = Scan();
  EXPECT_TRUE(again.Next());
  EXPECT_FALSE(again.Next());
}

TEST_F(ForgedRunTest, NoRunLeavesThePool) {
  MakeRun(1);
  StoreHeader(run_ + kLeafUnit, 100, 1);
  StoreSum(run_ + kLeafUnit);
  ASSERT_TRUE(Scan().Next());
  for (const uint32_t length : {0u, 1u << 10, 1u << 16, ~0u}) {
    ExtentHeader header;
    header.kind = ExtentKind::kTree;
    header.object = kNumber;
    header.salt = kSalt;
    header.length = length;
    WriteExtentHeader(scratch_.pool(), run_, header);
    EXPECT_FALSE(Scan().Next()) << length;
  }
}

TEST_F(ForgedRunTest, NonsenseDoesNoHarm) {
  MakeRun(4);
  for (int round = 0; round < Scaled(50); round++) {
    for (PoolOffset pool_offset = run_ + kLeafUnit; pool_offset < end_; pool_offset += kLeafUnit) {
      StoreHeader(pool_offset, random().Uniform(2 * kExtent),
                  static_cast<uint16_t>(random().Next()));
      At(pool_offset)[12] = static_cast<char>(random().Uniform(10));
      At(pool_offset)[13] = static_cast<char>(random().Uniform(2));
      const uint64_t used = LoadFixed32(At(pool_offset) + 4);
      if (used >= kLeafHeaderSize && used <= end_ - pool_offset) StoreSum(pool_offset);
    }
    LeafScan scan = Scan();
    while (scan.Next()) {
      ASSERT_LE(scan.pool_offset() + scan.leaf().size(), end_);
      LeafEntry entry;
      for (size_t i = 0; i < scan.leaf().count(); i++) (void)scan.leaf().ReadEntry(i, &entry);
    }
  }
}

// Each header, if believed, would be read to the end of the run: hundreds of gigabytes.
TEST_F(ForgedRunTest, AValueFullOfHeadersIsNoWork) {
  MakeRun(16 << 20 >> 16);
  for (PoolOffset pool_offset = run_ + kLeafUnit; pool_offset < end_; pool_offset += kLeafUnit) {
    StoreHeader(pool_offset, end_ - pool_offset, 1);
  }
  const PoolOffset last = end_ - 4 * kLeafUnit;
  StoreHeader(last, 4 * kLeafUnit, 1);
  StoreSum(last);
  LeafScan scan = Scan();
  ASSERT_TRUE(scan.Next());
  EXPECT_EQ(last, scan.pool_offset());
  EXPECT_FALSE(scan.Next());
}

}  // namespace
}  // namespace leveldb
