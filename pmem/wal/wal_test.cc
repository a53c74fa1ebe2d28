// Tests logs that are written, truncated, damaged and read: what is read is always a prefix of what
// was written, and all of it if nothing happened.
#include "pmem/wal/wal_test.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::Scaled;

constexpr uint64_t kExtent = Pool::kExtentBytesMin;

INSTANTIATE_TEST_SUITE_P(Stores, WalTest, testing::Bool(), [](const auto& instance) {
  return instance.param ? "Deferred" : "AtOnce";
});

TEST_P(WalTest, AnEmptyLogSaysWhereItComesFrom) {
  WalStart start;
  start.predecessor = {.number = 3, .salt = 4, .last_sequence = 5};
  start.first_sequence = 9;
  const auto log = NewLog(7, start);
  EXPECT_EQ(7u, log->number());
  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  EXPECT_EQ(start.predecessor, reader.start().predecessor);
  EXPECT_EQ(9u, reader.start().first_sequence);
  EXPECT_EQ(GetParam(), reader.start().deferred);
  EXPECT_EQ(log->salt(), reader.salt());
  EXPECT_TRUE(ReadAll(&reader).empty());
  EXPECT_TRUE(reader.status().ok());
  EXPECT_FALSE(reader.sealed());
  EXPECT_EQ(1u, reader.extents().size());
}

TEST_P(WalTest, RecordsOfAnySizeComeBackInOrder) {
  Dice dice(AnnouncedSeed());
  const auto log = NewLog(7);
  std::vector<std::string> written;
  for (int i = 0; i < Scaled(300); i++) {
    const uint64_t limit = dice.OneIn(20) ? 3 * kExtent : dice.OneIn(4) ? 5000 : 100;
    const std::string payload = dice.Bytes(dice.Between(1, limit));
    if (!log->Append(payload).ok()) break;
    written.push_back(payload);
  }
  stores_->Flush();
  pool().persist()->Fence();
  EXPECT_EQ(written, Records(7));

  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  ReadAll(&reader);
  EXPECT_EQ(log->held()->held(), reader.extents());
}

TEST_P(WalTest, RecordsMayBeMadeInPlace) {
  Dice dice(AnnouncedSeed());
  const auto log = NewLog(7);
  std::vector<std::string> written;
  for (const size_t size : {1, 7, 8, 51, 52, 58, 59, 64, 115, 116, 122, 123, 300, 447, 448}) {
    const std::string payload = dice.Bytes(size);
    WalWriter::Reservation reservation;
    ASSERT_TRUE(log->Reserve(size, &reservation));
    log->FillInPlace(reservation, WalKind::kWhole, size, [&payload](char* to) {
      memcpy(to, payload.data(), payload.size());
      return to + payload.size();
    });
    written.push_back(payload);
    Append(log.get(), payload);
    written.push_back(payload);
  }
  stores_->Flush();
  pool().persist()->Fence();
  EXPECT_EQ(written, Records(7));
}

// Tests every way in which a record can meet the end of an extent.
TEST_P(WalTest, RecordsMayEndAnywhereInAnExtent) {
  for (size_t left = 0; left <= 300; left += 4) {
    const auto log = NewLog(left + 1);
    const size_t first = kExtent - 2 * 64 - 64 - 8 - left;
    Append(log.get(), std::string(first, 'f'));
    for (int i = 0; i < 8; i++) Append(log.get(), std::string(30 + i, static_cast<char>('a' + i)));
    const std::vector<std::string> read = Records(left + 1);
    ASSERT_EQ(9u, read.size()) << left;
    EXPECT_EQ(first, read[0].size());
    for (int i = 0; i < 8; i++) {
      EXPECT_EQ(std::string(30 + i, static_cast<char>('a' + i)), read[i + 1]);
    }
    ASSERT_TRUE(pool().root()->RemoveLog(left + 1).ok());
  }
}

TEST_P(WalTest, ASealEndsALog) {
  const auto log = NewLog(7);
  Append(log.get(), "one");
  log->Seal(42);
  EXPECT_TRUE(log->sealed());
  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  EXPECT_EQ(std::vector<std::string>{"one"}, ReadAll(&reader));
  EXPECT_TRUE(reader.sealed());
  EXPECT_EQ(42u, reader.sealed_sequence());
}

TEST_P(WalTest, TheNextLogSealsTheOneBefore) {
  const auto first = NewLog(7);
  Append(first.get(), "one");
  WalStart start;
  start.predecessor = {.number = 7, .salt = first->salt(), .last_sequence = 1};
  start.first_sequence = 2;
  const auto second = NewLog(8, start, first.get());
  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  ReadAll(&reader);
  EXPECT_TRUE(reader.sealed());
  EXPECT_EQ(1u, reader.sealed_sequence());
}

TEST_P(WalTest, TheTailMayLieElsewhereAndThenBeThatOfTheNextLog) {
  WalTail tail;
  const auto first = NewLog(7);
  Append(first.get(), "one");
  first->KeepTailIn(&tail);
  const size_t used = tail.used;
  Append(first.get(), "two");
  EXPECT_GT(tail.used, used);
  Append(first.get(), std::string(2 * kExtent, 'x'));
  EXPECT_EQ(2u, tail.position);

  WalStart start;
  start.predecessor = {7, first->salt(), 3};
  const auto second = NewLog(8, start, first.get());
  second->KeepTailIn(&tail);
  EXPECT_EQ(0u, tail.position);
  Append(second.get(), "three");
  EXPECT_EQ((std::vector<std::string>{"one", "two", std::string(2 * kExtent, 'x')}), Records(7));
  EXPECT_EQ(std::vector<std::string>{"three"}, Records(8));
}

TEST_P(WalTest, ValueExtentsAreNamedWithTheirSalts) {
  const auto log = NewLog(7);
  std::vector<PoolOffset> values;
  for (int i = 0; i < 70; i++) values.push_back(NewValueExtent());
  ASSERT_TRUE(log->NoteValueExtents({values[0]}).ok());
  Append(log.get(), "one");
  ASSERT_TRUE(log->NoteValueExtents({values.begin() + 1, values.end()}).ok());
  Append(log.get(), "two");
  {
    WalReader reader(pool(), Slot(7));
    ASSERT_TRUE(reader.Open().ok());
    Slice payload;
    std::string scratch;
    ASSERT_TRUE(reader.ReadRecord(&payload, &scratch));
    EXPECT_EQ(std::vector<PoolOffset>{values[0]}, reader.value_extents());
    EXPECT_EQ(std::vector<std::string>{"two"}, ReadAll(&reader));
    EXPECT_EQ(values, reader.value_extents());
  }

  // An extent is named, but its header did not reach the medium.
  memset(pool().At(values[1]), 0, ExtentHeader::kSize);
  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  EXPECT_EQ(std::vector<std::string>{"one"}, ReadAll(&reader));
  EXPECT_EQ(std::vector<PoolOffset>{values[0]}, reader.value_extents());
  EXPECT_EQ(!GetParam(), reader.status().IsCorruption());  // "two" was fenced after it
}

// The record and the header become persistent with one fence, so a power failure may lose the
// header and keep the record.
TEST_P(WalTest, ANamedExtentWithoutItsHeaderIsATornEnd) {
  const auto log = NewLog(7);
  const PoolOffset extent = NewValueExtent();
  ASSERT_TRUE(log->NoteValueExtents({extent}).ok());
  memset(pool().At(extent), 0, ExtentHeader::kSize);
  EXPECT_TRUE(Records(7).empty());
  Append(log.get(), "one");
  Append(log.get(), "two");
  memset(pool().At(extent), 0, ExtentHeader::kSize);
  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  EXPECT_TRUE(ReadAll(&reader).empty());
  EXPECT_EQ(!GetParam(), reader.status().IsCorruption());
}

TEST_P(WalTest, ATornRecordIsTheEnd) {
  const std::string last(1000, 'L');
  const auto log = NewLog(7);
  Append(log.get(), "one");
  Append(log.get(), last);
  char* const torn = Find(last);
  for (size_t word = 0; word < last.size(); word += 8) {
    std::string saved(torn + word, 8);
    memset(torn + word, 0, 8);
    EXPECT_EQ(std::vector<std::string>{"one"}, Records(7));
    memcpy(torn + word, saved.data(), 8);
  }
  EXPECT_EQ(2u, Records(7).size());
}

TEST_P(WalTest, TheBeginningHasToBeWhole) {
  const auto log = NewLog(7);
  const LogSlot slot = Slot(7);
  for (const size_t offset : {20u, 64u + 10u}) {  // the extent's header, the first record
    pool().At(slot.first)[offset] ^= 1;
    const Status status = WalReader(pool(), slot).Open();
    EXPECT_TRUE(status.IsCorruption());
    EXPECT_NE(std::string::npos, status.ToString().find(scratch_.path()));
    pool().At(slot.first)[offset] ^= 1;
  }
  EXPECT_TRUE(WalReader(pool(), {7, slot.first, slot.salt + 1}).Open().IsCorruption());
  EXPECT_TRUE(WalReader(pool(), {8, slot.first, slot.salt}).Open().IsCorruption());
  EXPECT_TRUE(WalReader(pool(), {7, slot.first + kExtent, slot.salt}).Open().IsCorruption());
  EXPECT_TRUE(WalReader(pool(), {7, ~uint64_t{0}, slot.salt}).Open().IsCorruption());
}

// The extents of a removed log hold whole records at the same offsets.
TEST_P(WalTest, AnEarlierLifeOfAnExtentIsNotRead) {
  std::vector<PoolOffset> old_extents;
  {
    const auto log = NewLog(7);
    for (int i = 0; i < 3000; i++) Append(log.get(), "old record " + std::to_string(i));
    old_extents = log->held()->held();
    ASSERT_TRUE(pool().root()->RemoveLog(7).ok());
  }
  for (int records = 0; records < 3000; records += 511) {
    const auto log = NewLog(7);
    EXPECT_EQ(old_extents[0], log->held()->held()[0]);
    std::vector<std::string> written;
    for (int i = 0; i < records; i++) {
      written.push_back("new record " + std::to_string(i));
      Append(log.get(), written.back());
    }
    EXPECT_EQ(written, Records(7));
    ASSERT_TRUE(pool().root()->RemoveLog(7).ok());
  }
}

// The end that one recovery has found is also the end for the next one, and for the log that
// follows, whatever comes after it.
TEST_P(WalTest, ASealedEndStays) {
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(40); round++) {
    const auto log = NewLog(7);
    std::vector<std::string> written;
    const int count = static_cast<int>(dice.Between(2, 40));
    size_t extents = 0;
    // The last record is in one piece, because a later piece would prove an earlier one.
    for (int i = 0; i < count || log->held()->held().size() != extents; i++) {
      extents = log->held()->held().size();
      written.push_back(std::to_string(i) + dice.Bytes(dice.Between(8, 5000)));
      Append(log.get(), written.back());
    }
    const size_t torn = GetParam() ? dice.Below(written.size()) : written.size() - 1;
    // A record in pieces has at least 8 bytes in the first one.
    Find(written[torn].substr(0, 8))[dice.Below(8)] ^= 1;
    written.resize(torn);

    for (int recovery = 0; recovery < 3; recovery++) {
      WalReader reader(pool(), Slot(7));
      ASSERT_TRUE(reader.Open().ok());
      ASSERT_EQ(written, ReadAll(&reader));
      ASSERT_TRUE(reader.status().ok()) << reader.status().ToString();
      ASSERT_EQ(recovery > 0, reader.sealed());
      if (recovery > 0) {
        EXPECT_EQ(77u, reader.sealed_sequence());
      }
      ASSERT_TRUE(SealRecoveredWal(&pool(), reader, 77).ok());
    }
    ASSERT_TRUE(pool().root()->RemoveLog(7).ok());
  }
}

// A power failure during sealing leaves some words of the seal.
TEST_P(WalTest, AHalfWrittenSealIsWrittenAgain) {
  const auto log = NewLog(7);
  Append(log.get(), "one");
  Append(log.get(), "a record that will be torn, and longer than a seal");
  char* const torn = Find("a record that");
  torn[20] ^= 1;
  const PoolOffset extent = Slot(7).first;
  const std::string before(pool().At(extent), 1024);
  {
    WalReader reader(pool(), Slot(7));
    ASSERT_TRUE(reader.Open().ok());
    ReadAll(&reader);
    ASSERT_TRUE(SealRecoveredWal(&pool(), reader, 1).ok());
  }
  const std::string after(pool().At(extent), 1024);
  for (int pattern = 0; pattern < 256; pattern++) {
    int changed = 0;
    for (size_t word = 0; word < before.size(); word += 8) {
      const bool differs = memcmp(&before[word], &after[word], 8) != 0;
      const bool arrived = differs && (pattern >> (changed++ % 8) & 1) != 0;
      memcpy(pool().At(extent) + word, (arrived ? &after : &before)->data() + word, 8);
    }
    WalReader reader(pool(), Slot(7));
    ASSERT_TRUE(reader.Open().ok());
    EXPECT_EQ(std::vector<std::string>{"one"}, ReadAll(&reader));
    EXPECT_TRUE(reader.status().ok());
    ASSERT_TRUE(SealRecoveredWal(&pool(), reader, 1).ok());
    EXPECT_EQ(std::vector<std::string>{"one"}, Records(7));
  }
}

TEST_P(WalTest, ARecordWithATornValueIsRejected) {
  const auto log = NewLog(7);
  for (const char* payload : {"one", "two", "three"}) Append(log.get(), payload);
  Slice payload;
  std::string scratch;
  {
    WalReader reader(pool(), Slot(7));
    ASSERT_TRUE(reader.Open().ok());
    for (int i = 0; i < 3; i++) ASSERT_TRUE(reader.ReadRecord(&payload, &scratch));
    EXPECT_TRUE(reader.Reject(Status::Corruption("value of three")).ok());
    EXPECT_FALSE(reader.ReadRecord(&payload, &scratch));
    ASSERT_TRUE(SealRecoveredWal(&pool(), reader, 2).ok());
  }
  EXPECT_EQ((std::vector<std::string>{"one", "two"}), Records(7));

  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  ASSERT_TRUE(reader.ReadRecord(&payload, &scratch));
  ASSERT_TRUE(reader.ReadRecord(&payload, &scratch));
  // A seal follows, so everything before it was there once.
  EXPECT_EQ("Corruption: value of two",
            reader.Reject(Status::Corruption("value of two")).ToString());
}

TEST_P(WalTest, ARejectedRecordMayConsistOfPieces) {
  const auto log = NewLog(7);
  Append(log.get(), "one");
  Append(log.get(), std::string(3 * kExtent, 'x'));
  Slice payload;
  std::string scratch;
  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  ASSERT_TRUE(reader.ReadRecord(&payload, &scratch));
  ASSERT_TRUE(reader.ReadRecord(&payload, &scratch));
  EXPECT_EQ(4u, reader.extents().size());
  EXPECT_TRUE(reader.Reject(Status::Corruption("torn")).ok());
  EXPECT_EQ(1u, reader.extents().size());
  ASSERT_TRUE(SealRecoveredWal(&pool(), reader, 1).ok());
  EXPECT_EQ(std::vector<std::string>{"one"}, Records(7));
}

TEST_P(WalTest, AFullPoolLeavesTheLogAsItWas) {
  const auto log = NewLog(7);
  Append(log.get(), "one");
  std::vector<PoolOffset> taken;
  PoolOffset extent;
  while (scratch_.extents()->Reserve(1, &extent).ok()) taken.push_back(extent);
  EXPECT_TRUE(log->Append(std::string(kExtent, 'x')).IsIOError());
  scratch_.extents()->Release(taken[5]);
  EXPECT_TRUE(log->Append(std::string(3 * kExtent, 'x')).IsIOError());
  EXPECT_EQ(kExtent, scratch_.extents()->free_bytes());
  Append(log.get(), "two");
  Append(log.get(), std::string(kExtent, 'x'));
  EXPECT_EQ((std::vector<std::string>{"one", "two", std::string(kExtent, 'x')}), Records(7));

  // There is no room for another log, so the existing one must not be sealed.
  std::unique_ptr<WalWriter> next;
  auto held = std::make_shared<HeldExtents>(scratch_.extents());
  EXPECT_TRUE(WalWriter::Create(scratch_.pool(), scratch_.extents(), stores_.get(), 8, {},
                                log.get(), held, &next)
                  .IsIOError());
  EXPECT_FALSE(log->sealed());
  Append(log.get(), "four");
  EXPECT_EQ(4u, Records(7).size());
}

TEST_P(WalTest, ARootHasSlotsForSoManyLogsOnly) {
  std::vector<std::unique_ptr<WalWriter>> logs;
  for (uint64_t number = 1; number <= PoolRoot::kLogsMax; number++) logs.push_back(NewLog(number));
  std::unique_ptr<WalWriter> next;
  auto held = std::make_shared<HeldExtents>(scratch_.extents());
  EXPECT_TRUE(WalWriter::Create(scratch_.pool(), scratch_.extents(), stores_.get(), 100, {},
                                logs.back().get(), held, &next)
                  .IsIOError());
  EXPECT_TRUE(held->held().empty());
  EXPECT_FALSE(logs.back()->sealed());
}

}  // namespace
}  // namespace leveldb
