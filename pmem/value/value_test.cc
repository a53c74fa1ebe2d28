// Tests that the value reader finds what the value writer stores, and nothing else.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pmem/media/extent_header.h"
#include "pmem/value/value_layout.h"
#include "pmem/value/value_reader.h"
#include "pmem/value/value_writer.h"
#include "testing/dice.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"
#include "util/coding.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::Scaled;
using testkit::ScratchPool;

constexpr uint64_t kExtent = Pool::kExtentBytesMin;
constexpr uint64_t kRoom = kExtent - ExtentHeader::kSize;

class ValueTest : public testing::Test {
 protected:
  void SetUp() override {
    writer_ = std::make_unique<ValueWriter>(scratch_.pool(), scratch_.extents());
    writer_->SetObject(12);
  }

  Pool& pool() { return *scratch_.pool(); }

  ValueRef Append(const std::string& value) {
    ValueRef reference;
    const Status status = writer_->Append(value, &reference, &opened_);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(value.size(), reference.length);
    return reference;
  }

  void ExpectValue(const std::string& expected, const ValueRef& reference) {
    std::string value = "something else";
    ASSERT_TRUE(ReadValue(pool(), reference, /*verify_checksum=*/true, &value).ok());
    ASSERT_EQ(expected.size(), value.size());
    ASSERT_TRUE(expected == value);
    Slice in_place;
    std::string scratch;
    ASSERT_TRUE(ReadValueInPlace(pool(), reference, true, &in_place, &scratch).ok());
    ASSERT_TRUE(in_place == Slice(expected));
    ASSERT_TRUE(CheckValue(pool(), reference).ok());
  }

  // All ways of reading agree that the value is damaged.
  void ExpectDamaged(const ValueRef& reference) {
    std::string value;
    Slice in_place;
    EXPECT_TRUE(ReadValue(pool(), reference, true, &value).IsCorruption());
    EXPECT_TRUE(ReadValueInPlace(pool(), reference, true, &in_place, &value).IsCorruption());
    const Status status = CheckValue(pool(), reference);
    EXPECT_TRUE(status.IsCorruption());
    EXPECT_NE(std::string::npos, status.ToString().find(scratch_.path()));
  }

  uint64_t FreeBytes() { return scratch_.extents()->free_bytes(); }

  ScratchPool scratch_{24 << 20};
  std::unique_ptr<ValueWriter> writer_;
  std::vector<PoolOffset> opened_;
};

TEST_F(ValueTest, ValuesOfAnySizeComeBack) {
  Dice dice(AnnouncedSeed());
  std::vector<std::pair<std::string, ValueRef>> values;
  const size_t special[] = {1, 7, 8, 63, 64, 65, 1000, kRoom - 1, kRoom, kRoom + 1, 5 * kExtent};
  for (const size_t size : special) {
    const std::string value = dice.Bytes(size);
    values.emplace_back(value, Append(value));
  }
  for (int i = 0; i < Scaled(150); i++) {
    const std::string value = dice.Bytes(dice.Between(1, dice.OneIn(8) ? 2 * kExtent : 3000));
    ValueRef reference;
    const Status status = writer_->Append(value, &reference, &opened_);
    if (!status.ok()) break;  // full
    values.emplace_back(value, reference);
  }
  pool().persist()->Fence();
  for (const auto& [value, reference] : values) ExpectValue(value, reference);
  for (const PoolOffset extent : opened_) EXPECT_EQ(1u, scratch_.extents()->references(extent));
}

TEST_F(ValueTest, APlaceIsGivenBeforeTheValueIsStored) {
  const std::string first(1000, '1');
  const std::string second(70, '2');
  ValueRef of_first;
  ValueRef of_second;
  EXPECT_FALSE(writer_->Assign(first, &of_first));  // no extent is open
  Append("opens one");
  const ValueWriter::Position before = writer_->position();
  ASSERT_TRUE(writer_->Assign(first, &of_first));
  ASSERT_TRUE(writer_->Assign(second, &of_second));
  writer_->Store(second, &of_second);
  writer_->Store(first, &of_first);
  ExpectValue(first, of_first);
  ExpectValue(second, of_second);
  EXPECT_FALSE(writer_->Assign(std::string(kRoom, 'x'), &of_second));
  writer_->GoBackTo(before);
  ASSERT_TRUE(writer_->Assign(second, &of_second));
  EXPECT_EQ(of_first.pool_offset, of_second.pool_offset);
}

TEST_F(ValueTest, StoringCompletesTheReference) {
  const std::string value(1000, 'v');
  const ValueRef appended = Append(value);
  ValueRef reference;
  ASSERT_TRUE(writer_->Assign(value, &reference));
  EXPECT_EQ(appended.length, reference.length);
  EXPECT_NE(appended.crc, reference.crc);
  writer_->Store(value, &reference);
  EXPECT_EQ(appended.crc, reference.crc);
}

TEST_F(ValueTest, ExtentsAreFilledOneAfterTheOther) {
  EXPECT_EQ(kNoPoolOffset, writer_->current());
  const ValueRef first = Append("first");
  ASSERT_EQ(1u, opened_.size());
  EXPECT_EQ(opened_[0], writer_->current());
  EXPECT_EQ(opened_[0] + ExtentHeader::kSize, first.pool_offset);
  ExtentHeader header;
  ASSERT_TRUE(ReadExtentHeader(pool(), opened_[0], &header).ok());
  EXPECT_EQ(header.salt, scratch_.extents()->value_salt(opened_[0]));
  EXPECT_EQ(ExtentKind::kValue, header.kind);
  EXPECT_EQ(12u, header.object);
  const ValueRef second = Append(std::string(1000, 's'));
  EXPECT_EQ(1u, opened_.size());
  EXPECT_EQ(first.pool_offset + 64, second.pool_offset);

  writer_->Abandon();
  EXPECT_EQ(kNoPoolOffset, writer_->current());
  const ValueRef third = Append("third");
  ASSERT_EQ(2u, opened_.size());
  EXPECT_EQ(opened_[1] + ExtentHeader::kSize, third.pool_offset);
  ExtentHeader other;
  ASSERT_TRUE(ReadExtentHeader(pool(), opened_[1], &other).ok());
  EXPECT_NE(header.salt, other.salt);
}

TEST_F(ValueTest, LittleSpaceIsLeftAtTheEndOfAnExtent) {
  const ValueRef most = Append(std::string(kRoom - kExtent / 16, 'm'));
  const ValueRef whole = Append(std::string(kExtent / 16 + 1, 'w'));  // the rest is small enough
  EXPECT_FALSE(whole.is_chunk_list);
  EXPECT_EQ(2u, opened_.size());
  Append(std::string(kRoom / 2, 'h'));
  const ValueRef cut = Append(std::string(kRoom / 2, 'c'));
  EXPECT_TRUE(cut.is_chunk_list);
  EXPECT_EQ(3u, opened_.size());
  std::vector<ValuePiece> pieces;
  ASSERT_TRUE(ListValuePieces(pool(), cut, &pieces).ok());
  ASSERT_EQ(3u, pieces.size());
  EXPECT_EQ(opened_[1], pieces[0].pool_offset / kExtent * kExtent);
  EXPECT_EQ(opened_[2], pieces[1].pool_offset / kExtent * kExtent);
  EXPECT_EQ(kRoom / 2, pieces[0].bytes + pieces[1].bytes);
  EXPECT_EQ(cut.pool_offset, pieces[2].pool_offset);
  ExpectValue(std::string(kRoom / 2, 'c'), cut);
  pieces.clear();
  ASSERT_TRUE(ListValuePieces(pool(), most, &pieces).ok());
  ASSERT_EQ(1u, pieces.size());
  EXPECT_EQ(most.pool_offset, pieces[0].pool_offset);
  EXPECT_EQ(most.length, pieces[0].bytes);
}

TEST_F(ValueTest, AFullPoolIsAnErrorThatChangesNothing) {
  const std::string value(20000, 'v');
  std::map<PoolOffset, std::string> stored;
  Status status;
  ValueRef reference;
  while ((status = writer_->Append(value, &reference, &opened_)).ok()) {
  }
  EXPECT_TRUE(status.IsIOError());
  EXPECT_EQ(0u, FreeBytes());
  EXPECT_TRUE(writer_->Append(std::string(3 * kExtent, 'x'), &reference, &opened_).IsIOError());

  // Two extents are too few for three extents' worth of chunks and a list.
  scratch_.extents()->Release(opened_[3]);
  scratch_.extents()->Release(opened_[5]);
  const size_t opened_before = opened_.size();
  EXPECT_TRUE(writer_->Append(std::string(3 * kExtent, 'x'), &reference, &opened_).IsIOError());
  EXPECT_EQ(2 * kExtent, FreeBytes());
  EXPECT_EQ(opened_before, opened_.size());
  ExpectValue(value, Append(value));
}

TEST_F(ValueTest, DamagedBytesAreFoundByTheirChecksum) {
  const ValueRef whole = Append(std::string(5000, 'v'));
  const ValueRef cut = Append(std::string(2 * kExtent, 'c'));
  std::vector<ValuePiece> pieces;
  ASSERT_TRUE(ListValuePieces(pool(), cut, &pieces).ok());
  pool().At(whole.pool_offset)[4999] ^= 1;
  ExpectDamaged(whole);
  pool().At(pieces[1].pool_offset)[77] ^= 1;
  ExpectDamaged(cut);
  std::string value;
  EXPECT_TRUE(ReadValue(pool(), cut, /*verify_checksum=*/false, &value).ok());
}

TEST_F(ValueTest, ADamagedListOfChunksIsAlwaysFound) {
  const ValueRef cut = Append(std::string(2 * kExtent, 'c'));
  char* const list = pool().At(cut.pool_offset);
  const size_t size = kChunkListHeaderSize + LoadFixed32(list + 4) * kChunkSize;
  for (size_t i = 0; i < size; i++) {
    list[i] ^= 0x10;
    std::string value;
    EXPECT_TRUE(ReadValue(pool(), cut, /*verify_checksum=*/false, &value).IsCorruption()) << i;
    list[i] ^= 0x10;
  }
  ExpectValue(std::string(2 * kExtent, 'c'), cut);

  // Impossible chunks are refused even if the sum is right.
  const auto expect_refused = [&] {
    StoreFixed32(list, ChunkListSum(cut.pool_offset, list, size));
    ExpectDamaged(cut);
    std::vector<ValuePiece> pieces;
    EXPECT_TRUE(ListValuePieces(pool(), cut, &pieces).IsCorruption());
  };
  const std::string good(list, size);
  StoreFixed64(list + kChunkListHeaderSize, uint64_t{1} << 47);  // the offset of the first chunk
  expect_refused();
  memcpy(list, good.data(), size);
  StoreFixed64(list + kChunkListHeaderSize + 8, 0);  // its length
  expect_refused();
  StoreFixed64(list + kChunkListHeaderSize + 8, ~uint64_t{0});
  expect_refused();
  StoreFixed64(list + kChunkListHeaderSize + 8, 1);
  expect_refused();
}

TEST_F(ValueTest, ReferencesThatLeadNowhereAreRefused) {
  Append("something");
  Dice dice(AnnouncedSeed());
  for (int i = 0; i < Scaled(20000); i++) {
    ValueRef reference;
    const uint64_t reach = dice.OneIn(2) ? kMaxValueOffset : pool().reserved_bytes();
    reference.pool_offset = dice.Between(1, reach);
    reference.is_chunk_list = dice.OneIn(2);
    reference.length = static_cast<uint32_t>(dice.Next() >> dice.Between(32, 63));
    reference.crc = static_cast<uint32_t>(dice.Next());
    std::string value;
    std::vector<ValuePiece> pieces;
    if (reference.length > 0) {
      EXPECT_TRUE(CheckValue(pool(), reference).IsCorruption());
    }
    const Status status = ReadValue(pool(), reference, /*verify_checksum=*/false, &value);
    if (status.ok()) {
      EXPECT_TRUE(pool().Contains(reference.pool_offset, reference.length));
    }
    EXPECT_EQ(status.ok(), ListValuePieces(pool(), reference, &pieces).ok());
  }
}

}  // namespace
}  // namespace leveldb
