#include "ycsbc/record_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ycsbc/scan_order.h"

namespace leveldb::ycsbc {
namespace {

TEST(RecordKeysTest, OrderedKeysAreTheirNumbers) {
  EXPECT_EQ("user0", RecordKeys(false, 1).KeyOf(0));
  EXPECT_EQ("user1234", RecordKeys(false, 1).KeyOf(1234));
  EXPECT_EQ("user00001234", RecordKeys(false, 8).KeyOf(1234));
  EXPECT_EQ("user123456789", RecordKeys(false, 8).KeyOf(123456789));
}

TEST(RecordKeysTest, EveryKeyIsLedBack) {
  for (const bool hashed : {false, true}) {
    for (const uint64_t padding : {1, 5, 19, 30, 100}) {
      const RecordKeys keys(hashed, padding);
      for (uint64_t record = 0; record < 5'000'000'000; record = record * 3 / 2 + 1) {
        const std::string key = keys.KeyOf(record);
        uint64_t found = 0;
        ASSERT_TRUE(keys.Parse(key, &found)) << key;
        EXPECT_EQ(record, found) << key;
        EXPECT_GE(key.size(), 4 + padding);
      }
    }
  }
}

TEST(RecordKeysTest, OtherKeysAreNobodys) {
  const RecordKeys keys(false, 3);
  uint64_t record = 0;
  EXPECT_TRUE(keys.Parse("user012", &record));
  for (const char* key :
       {"", "user", "use012", "user12", "user0012", "user01x", "user-12", "user012 ", "USER012",
        "user99999999999999999999", "user9223372036854775808"}) {
    EXPECT_FALSE(keys.Parse(key, &record)) << key;
  }
}

// Follows the order from key to key and compares it with that of sorted strings.
TEST(ScanOrderTest, IsTheOrderOfTheKeys) {
  for (const bool hashed : {false, true}) {
    for (const uint64_t padding : {1, 4, 25}) {
      const RecordKeys keys(hashed, padding);
      for (const uint64_t first : {0, 90}) {
        constexpr uint64_t kCount = 1200;
        const ScanOrder order(keys, first, kCount);
        EXPECT_EQ(first == 0, order.Has(0));
        EXPECT_FALSE(order.Has(first + kCount));
        for (size_t place = 0; place < kCount; ++place) {
          ASSERT_TRUE(order.Has(order.At(place)));
          ASSERT_EQ(place, order.PlaceOf(order.At(place)));
          if (place == 0) continue;
          ASSERT_LT(keys.KeyOf(order.At(place - 1)), keys.KeyOf(order.At(place)));
        }
        EXPECT_EQ(ScanOrder::kEnd, order.At(kCount));
      }
    }
  }
}

TEST(ScanOrderTest, OfOneRecord) {
  const ScanOrder order(RecordKeys(true, 1), 7, 1);
  EXPECT_EQ(7u, order.At(0));
  EXPECT_EQ(0u, order.PlaceOf(7));
  EXPECT_EQ(ScanOrder::kEnd, order.At(1));
}

}  // namespace
}  // namespace leveldb::ycsbc
