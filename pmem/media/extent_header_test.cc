#include "pmem/media/extent_header.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "testing/scratch_pool.h"

namespace leveldb {

namespace {

using testkit::ScratchPool;

constexpr uint64_t kPoolBytes = 8 << 20;
constexpr uint64_t kExtent = 64 << 10;

ExtentHeader Example() {
  ExtentHeader header;
  header.kind = ExtentKind::kTree;
  header.object = 0x1122334455667788;
  header.salt = 0x99aabbccddeeff00;
  header.length = 3;
  header.position = 7;
  return header;
}

}  // namespace

TEST(ExtentHeader, WrittenAndRead) {
  ScratchPool pool(kPoolBytes, kExtent);
  PoolOffset run;
  ASSERT_TRUE(pool.extents()->Reserve(3, &run).ok());
  WriteExtentHeader(pool.pool(), run, Example());
  pool.pool()->persist()->Fence();
  ExtentHeader found;
  ASSERT_TRUE(ReadExtentHeader(*pool.pool(), run, &found).ok());
  EXPECT_EQ(Example(), found);
  EXPECT_TRUE(CheckExtentHeader(*pool.pool(), run, Example()).ok());
}

TEST(ExtentHeader, EveryDifferenceIsNamed) {
  ScratchPool pool(kPoolBytes, kExtent);
  PoolOffset run;
  ASSERT_TRUE(pool.extents()->Reserve(3, &run).ok());
  WriteExtentHeader(pool.pool(), run, Example());
  const auto expect = [&](const ExtentHeader& expected, const std::string& word) {
    const Status s = CheckExtentHeader(*pool.pool(), run, expected);
    EXPECT_TRUE(s.IsCorruption());
    EXPECT_NE(std::string::npos, s.ToString().find(word)) << s.ToString();
    EXPECT_NE(std::string::npos, s.ToString().find(pool.path())) << s.ToString();
    EXPECT_NE(std::string::npos, s.ToString().find(std::to_string(run))) << s.ToString();
  };
  ExtentHeader other = Example();
  other.kind = ExtentKind::kLog;
  expect(other, "tree instead of a log");
  other = Example();
  other.object++;
  expect(other, "owner");
  other = Example();
  other.salt++;
  expect(other, "salt");
  other = Example();
  other.length++;
  expect(other, "length");
  other = Example();
  other.position++;
  expect(other, "position");
}

TEST(ExtentHeader, EveryFlippedBitIsFoundOut) {
  ScratchPool pool(kPoolBytes, kExtent);
  PoolOffset run;
  ASSERT_TRUE(pool.extents()->Reserve(3, &run).ok());
  WriteExtentHeader(pool.pool(), run, Example());
  for (size_t bit = 0; bit < 8 * ExtentHeader::kSize; bit++) {
    char* const byte = pool.pool()->At(run) + bit / 8;
    *byte = static_cast<char>(*byte ^ 1 << (bit % 8));
    ExtentHeader found;
    EXPECT_TRUE(ReadExtentHeader(*pool.pool(), run, &found).IsCorruption()) << bit;
    *byte = static_cast<char>(*byte ^ 1 << (bit % 8));
  }
}

TEST(ExtentHeader, PlacesThatAreNoExtents) {
  ScratchPool pool(kPoolBytes, kExtent);
  PoolOffset run;
  ASSERT_TRUE(pool.extents()->Reserve(1, &run).ok());
  ExtentHeader header;
  WriteExtentHeader(pool.pool(), run, header);
  for (const PoolOffset pool_offset :
       {PoolOffset{0}, PoolOffset{64}, run + 1, run + 64, run - kExtent, kPoolBytes, ~PoolOffset{0},
        ~PoolOffset{0} - kExtent + 1}) {
    EXPECT_TRUE(ReadExtentHeader(*pool.pool(), pool_offset, &header).IsCorruption()) << pool_offset;
  }
}

TEST(ExtentHeader, AHeaderThatWasMovedIsNone) {
  ScratchPool pool(kPoolBytes, kExtent);
  PoolOffset run;
  ASSERT_TRUE(pool.extents()->Reserve(2, &run).ok());
  ExtentHeader header;
  WriteExtentHeader(pool.pool(), run, header);
  memcpy(pool.pool()->At(run + kExtent), pool.pool()->At(run), ExtentHeader::kSize);
  EXPECT_TRUE(ReadExtentHeader(*pool.pool(), run + kExtent, &header).IsCorruption());
}

TEST(ExtentHeader, AnotherPoolsHeaderIsNone) {
  ScratchPool one(kPoolBytes, kExtent);
  ScratchPool other(kPoolBytes, kExtent);
  PoolOffset run;
  PoolOffset run_of_other;
  ASSERT_TRUE(one.extents()->Reserve(1, &run).ok());
  ASSERT_TRUE(other.extents()->Reserve(1, &run_of_other).ok());
  ASSERT_EQ(run, run_of_other);
  ExtentHeader header;
  WriteExtentHeader(one.pool(), run, header);
  memcpy(other.pool()->At(run), one.pool()->At(run), ExtentHeader::kSize);
  const Status s = ReadExtentHeader(*other.pool(), run, &header);
  EXPECT_NE(std::string::npos, s.ToString().find("another pool")) << s.ToString();
}

TEST(ExtentHeader, ARunBeyondThePoolIsDamage) {
  ScratchPool pool(kPoolBytes, kExtent);
  PoolOffset run;
  ASSERT_TRUE(pool.extents()->Reserve(1, &run).ok());
  ExtentHeader header;
  header.length = 1000;
  WriteExtentHeader(pool.pool(), run, header);
  EXPECT_TRUE(ReadExtentHeader(*pool.pool(), run, &header).IsCorruption());
  header.length = 0;
  WriteExtentHeader(pool.pool(), run, header);
  EXPECT_TRUE(ReadExtentHeader(*pool.pool(), run, &header).IsCorruption());
}

}  // namespace leveldb
