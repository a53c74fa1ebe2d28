#include "util/coding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "util/random.h"

namespace leveldb {
namespace {

// Returns 0, powers of two and their neighbours: every length and every boundary of a varint.
std::vector<uint64_t> InterestingNumbers() {
  std::vector<uint64_t> numbers = {0};
  for (int bit = 0; bit < 64; bit++) {
    const uint64_t power = uint64_t{1} << bit;
    numbers.insert(numbers.end(), {power - 1, power, power + 1});
  }
  numbers.push_back(UINT64_MAX);
  return numbers;
}

TEST(CodingTest, FixedIsLittleEndian) {
  std::string bytes;
  AppendFixed32(&bytes, 0x04030201);
  AppendFixed64(&bytes, 0x0c0b0a0908070605);
  EXPECT_EQ(bytes, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c");
  EXPECT_EQ(LoadFixed32(bytes.data()), 0x04030201u);
  EXPECT_EQ(LoadFixed64(bytes.data() + 4), 0x0c0b0a0908070605u);
}

TEST(CodingTest, VarintBytes) {
  std::string bytes;
  AppendVarint32(&bytes, 0x7f);
  AppendVarint32(&bytes, 0x80);
  AppendVarint32(&bytes, 300);
  EXPECT_EQ(bytes, "\x7f\x80\x01\xac\x02");
  bytes.clear();
  AppendVarint32(&bytes, UINT32_MAX);
  EXPECT_EQ(bytes, "\xff\xff\xff\xff\x0f");
  bytes.clear();
  AppendVarint64(&bytes, UINT64_MAX);
  EXPECT_EQ(bytes, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(CodingTest, NumbersComeBack) {
  for (const uint64_t number : InterestingNumbers()) {
    std::string bytes;
    AppendVarint64(&bytes, number);
    EXPECT_EQ(bytes.size(), static_cast<size_t>(VarintLength(number)));
    uint64_t back = ~number;
    const char* const limit = bytes.data() + bytes.size();
    EXPECT_EQ(LoadVarint64(bytes.data(), limit, &back), limit);
    EXPECT_EQ(back, number);

    const uint32_t low = static_cast<uint32_t>(number);
    char buffer[kMaxVarint32Length];
    const char* const end = StoreVarint32(buffer, low);
    EXPECT_EQ(end - buffer, VarintLength(low));
    uint32_t back32 = ~low;
    EXPECT_EQ(LoadVarint32(buffer, end, &back32), end);
    EXPECT_EQ(back32, low);
  }
}

TEST(CodingTest, EveryCutVarintIsRefused) {
  for (const uint64_t number : InterestingNumbers()) {
    std::string bytes;
    AppendVarint64(&bytes, number);
    uint64_t ignored;
    for (size_t n = 0; n < bytes.size(); n++) {
      EXPECT_EQ(LoadVarint64(bytes.data(), bytes.data() + n, &ignored), nullptr);
    }
  }
}

TEST(CodingTest, VarintsOutOfRangeAreRefused) {
  const auto refused32 = [](const std::string& bytes) {
    uint32_t ignored;
    return LoadVarint32(bytes.data(), bytes.data() + bytes.size(), &ignored) == nullptr;
  };
  const auto refused64 = [](const std::string& bytes) {
    uint64_t ignored;
    return LoadVarint64(bytes.data(), bytes.data() + bytes.size(), &ignored) == nullptr;
  };
  EXPECT_TRUE(refused32("\xff\xff\xff\xff\x10"));      // Bit 32.
  EXPECT_TRUE(refused32("\xff\xff\xff\xff\xff\x01"));  // Six bytes.
  EXPECT_TRUE(refused64(std::string(9, '\xff') + "\x02"));
  EXPECT_TRUE(refused64(std::string(10, '\xff') + "\x01"));
  EXPECT_FALSE(refused32(std::string("\x80\x80\x80\x80\x00", 5)));  // Long, but 0.
}

TEST(SliceReaderTest, ReadsFieldsInOrder) {
  std::string bytes;
  bytes.push_back(7);
  AppendFixed32(&bytes, 32);
  AppendFixed64(&bytes, 64);
  AppendVarint32(&bytes, 320);
  AppendVarint64(&bytes, 640000);
  AppendLengthPrefixed(&bytes, "text");
  AppendLengthPrefixed(&bytes, "");
  bytes += "raw+rest";

  SliceReader reader(bytes);
  uint8_t byte;
  uint32_t number32;
  uint64_t number64;
  Slice text;
  ASSERT_TRUE(reader.ReadByte(&byte));
  EXPECT_EQ(byte, 7);
  ASSERT_TRUE(reader.ReadFixed32(&number32));
  EXPECT_EQ(number32, 32u);
  ASSERT_TRUE(reader.ReadFixed64(&number64));
  EXPECT_EQ(number64, 64u);
  ASSERT_TRUE(reader.ReadVarint32(&number32));
  EXPECT_EQ(number32, 320u);
  ASSERT_TRUE(reader.ReadVarint64(&number64));
  EXPECT_EQ(number64, 640000u);
  ASSERT_TRUE(reader.ReadLengthPrefixed(&text));
  EXPECT_EQ(text, "text");
  ASSERT_TRUE(reader.ReadLengthPrefixed(&text));
  EXPECT_TRUE(text.empty());
  ASSERT_TRUE(reader.ReadBytes(3, &text));
  EXPECT_EQ(text, "raw");
  EXPECT_EQ(reader.rest(), "+rest");
  EXPECT_EQ(reader.remaining(), 5u);
  EXPECT_FALSE(reader.empty());
}

TEST(SliceReaderTest, AFailedReadChangesNothing) {
  const std::string bytes("\x05\xff\xff", 3);  // A string of five bytes, cut to two.
  SliceReader reader(bytes);
  Slice text("before");
  uint32_t number32 = 1;
  uint64_t number64 = 2;
  EXPECT_FALSE(reader.ReadLengthPrefixed(&text));
  EXPECT_FALSE(reader.ReadBytes(4, &text));
  EXPECT_FALSE(reader.ReadFixed32(&number32));
  EXPECT_FALSE(reader.ReadFixed64(&number64));
  EXPECT_EQ(text, "before");
  EXPECT_EQ(reader.rest(), bytes);
  ASSERT_TRUE(reader.ReadVarint32(&number32));
  EXPECT_FALSE(reader.ReadVarint32(&number32));
  EXPECT_FALSE(reader.ReadVarint64(&number64));
  EXPECT_EQ(number32, 5u);
  EXPECT_EQ(number64, 2u);
  EXPECT_EQ(reader.remaining(), 2u);
  ASSERT_TRUE(reader.ReadBytes(2, &text));
  uint8_t byte = 3;
  EXPECT_FALSE(reader.ReadByte(&byte));
  EXPECT_EQ(byte, 3);
}

TEST(SliceReaderTest, RandomBytesNeverLeadOutside) {
  const uint64_t seed = 301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int round = 0; round < 2000; round++) {
    std::string bytes;
    while (bytes.size() < 40) bytes.push_back(static_cast<char>(random.Next()));
    SliceReader reader(bytes);
    Slice text;
    uint64_t number;
    while (!reader.empty()) {
      const size_t before = reader.remaining();
      const bool read =
          random.OneIn(2) ? reader.ReadLengthPrefixed(&text) : reader.ReadVarint64(&number);
      ASSERT_LE(reader.remaining(), before);
      if (!read) break;
      ASSERT_LT(reader.remaining(), before);
    }
  }
}

}  // namespace
}  // namespace leveldb
