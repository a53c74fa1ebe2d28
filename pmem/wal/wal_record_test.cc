#include "pmem/wal/wal_record.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/dice.h"
#include "util/coding.h"

namespace leveldb {
namespace {

std::string Record(WalKind kind, uint32_t seed, const std::string& payload) {
  char header[kWalMaxHeaderSize];
  const size_t size = EncodeWalHeader(kind, payload.size(), header);
  SetWalSum(seed, header, size, payload);
  return std::string(header, size) + payload;
}

TEST(WalRecordTest, TheStartSurvivesEncoding) {
  WalStart start;
  start.predecessor = {.number = 7, .salt = 0x123456789abcdef0, .last_sequence = 99};
  start.first_sequence = 123;
  for (const bool deferred : {false, true}) {
    for (const bool unordered : {false, true}) {
      start.deferred = deferred;
      start.unordered = unordered;
      char bytes[kWalStartSize];
      EncodeWalStart(start, bytes);
      WalStart decoded;
      ASSERT_TRUE(DecodeWalStart(Slice(bytes, sizeof(bytes)), &decoded));
      EXPECT_EQ(start, decoded);
      EXPECT_FALSE(DecodeWalStart(Slice(bytes, sizeof(bytes) - 1), &decoded));
      bytes[0] = 4;
      EXPECT_FALSE(DecodeWalStart(Slice(bytes, sizeof(bytes)), &decoded));
    }
  }
}

TEST(WalRecordTest, RecordsOfEverySizeAreFound) {
  for (const size_t size : {0u, 1u, 7u, 8u, 1000u, 200000u}) {
    const std::string payload(size, 'p');
    const std::string bytes = Record(WalKind::kFirst, 42, payload);
    EXPECT_LE(bytes.size(), size + kWalMaxHeaderSize);
    WalRecord record;
    ASSERT_TRUE(ParseWalRecord(bytes.data(), bytes.size(), 42, &record));
    EXPECT_EQ(WalKind::kFirst, record.kind);
    EXPECT_EQ(payload, record.payload.ToString());
    EXPECT_EQ(bytes.size(), record.size);
  }
}

TEST(WalRecordTest, APlaceOrALogOfItsOwnIsPartOfTheSum) {
  const std::string bytes = Record(WalKind::kWhole, SumSeed(1, 64), "payload");
  WalRecord record;
  EXPECT_TRUE(ParseWalRecord(bytes.data(), bytes.size(), SumSeed(1, 64), &record));
  EXPECT_FALSE(ParseWalRecord(bytes.data(), bytes.size(), SumSeed(1, 128), &record));
  EXPECT_FALSE(ParseWalRecord(bytes.data(), bytes.size(), SumSeed(2, 64), &record));
  EXPECT_FALSE(ParseWalRecord(bytes.data(), bytes.size(), SumSeed(uint64_t{2} << 32, 64), &record));
}

TEST(WalRecordTest, CutsAndFlippedBitsAreFound) {
  const std::string whole = Record(WalKind::kWhole, 1, std::string(300, 'p'));
  WalRecord record;
  for (size_t length = 0; length < whole.size(); length++) {
    const std::string cut(whole.data(), length);  // exact size: ASan sees overreads
    EXPECT_FALSE(ParseWalRecord(cut.data(), cut.size(), 1, &record));
  }
  for (size_t bit = 0; bit < whole.size() * 8; bit++) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(ParseWalRecord(flipped.data(), flipped.size(), 1, &record)) << bit;
  }
}

TEST(WalRecordTest, NothingElseIsARecord) {
  WalRecord record;
  const std::string zeros(100, '\0');
  EXPECT_FALSE(ParseWalRecord(zeros.data(), zeros.size(), 0, &record));
  const std::string unknown = Record(static_cast<WalKind>(kMaxWalKind + 1), 1, "x");
  EXPECT_FALSE(ParseWalRecord(unknown.data(), unknown.size(), 1, &record));
  testkit::Dice dice(301);
  for (int i = 0; i < 20000; i++) {
    const std::string bytes = dice.Bytes(dice.Below(40));
    EXPECT_FALSE(ParseWalRecord(bytes.data(), bytes.size(), 7, &record));
  }
}

}  // namespace
}  // namespace leveldb
