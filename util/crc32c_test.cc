#include "util/crc32c.h"

#include <gtest/gtest.h>

#include <string>

#include "util/random.h"

namespace leveldb {
namespace crc32c {
namespace {

std::string RandomBytes(uint64_t seed, size_t n) {
  Random random(seed);
  std::string bytes(n, '\0');
  for (char& c : bytes) c = static_cast<char>(random.Next());
  return bytes;
}

// Computes the CRC by its definition, one bit at a time.
uint32_t BitByBit(uint32_t crc, const std::string& bytes) {
  uint32_t r = ~crc;
  for (const char c : bytes) {
    r ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; bit++) r = (r >> 1) ^ ((r & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~r;
}

class Crc32cMethodTest : public testing::TestWithParam<Method> {
 protected:
  void SetUp() override {
    if (!MethodIsSupported(GetParam())) GTEST_SKIP() << "not on this CPU";
  }

  uint32_t Crc(const std::string& bytes, uint32_t before = 0) const {
    return ExtendWith(GetParam(), before, bytes.data(), bytes.size());
  }
};

// The values are from RFC 3720, appendix B.4, and the check value of the algorithm's catalogue
// entry.
TEST_P(Crc32cMethodTest, KnownValues) {
  EXPECT_EQ(Crc(""), 0u);
  EXPECT_EQ(Crc("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc(std::string(32, '\xff')), 0x62a8ab43u);
  std::string ascending;
  std::string descending;
  for (int i = 0; i < 32; i++) {
    ascending.push_back(static_cast<char>(i));
    descending.push_back(static_cast<char>(31 - i));
  }
  EXPECT_EQ(Crc(ascending), 0x46dd794eu);
  EXPECT_EQ(Crc(descending), 0x113fdb5cu);
}

TEST_P(Crc32cMethodTest, AgreesWithTheDefinitionAtEveryLength) {
  const std::string bytes = RandomBytes(17, 700);
  for (size_t n = 0; n <= bytes.size(); n++) {
    const std::string part = bytes.substr(0, n);
    ASSERT_EQ(Crc(part, 0x12345678), BitByBit(0x12345678, part)) << n;
  }
  for (const size_t n : {2047, 4096, 6143, 6144, 6145, 12288, 20011, 65536}) {
    const std::string large = RandomBytes(n, n);
    ASSERT_EQ(Crc(large), BitByBit(0, large)) << n;
  }
}

TEST_P(Crc32cMethodTest, AgreesAtEveryAlignment) {
  const std::string bytes = RandomBytes(19, 1000);
  for (size_t offset = 0; offset < 16; offset++) {
    ASSERT_EQ(ExtendWith(GetParam(), 0, bytes.data() + offset, 900),
              BitByBit(0, bytes.substr(offset, 900)));
  }
}

TEST_P(Crc32cMethodTest, ExtendIsConcatenation) {
  const std::string bytes = RandomBytes(23, 5000);
  const uint32_t whole = Crc(bytes);
  for (const size_t cut : {0, 1, 7, 100, 2500, 4999, 5000}) {
    EXPECT_EQ(Crc(bytes.substr(cut), Crc(bytes.substr(0, cut))), whole) << cut;
  }
}

INSTANTIATE_TEST_SUITE_P(AllMethods, Crc32cMethodTest,
                         testing::Values(Method::kPortable, Method::kSse42, Method::kSse42Pclmul),
                         [](const testing::TestParamInfo<Method>& tested) -> std::string {
                           switch (tested.param) {
                             case Method::kPortable:
                               return "Portable";
                             case Method::kSse42:
                               return "Sse42";
                             case Method::kSse42Pclmul:
                               return "Sse42Pclmul";
                           }
                           return "";
                         });

TEST(Crc32cTest, ChosenMethodAgrees) {
  const std::string bytes = RandomBytes(29, 10000);
  EXPECT_EQ(Value(bytes.data(), bytes.size()), BitByBit(0, bytes));
  EXPECT_EQ(Extend(5, bytes.data(), 100), BitByBit(5, bytes.substr(0, 100)));
}

TEST(Crc32cTest, MaskRotatesAndAdds) {
  EXPECT_EQ(Mask(0), 0xa282ead8u);
  EXPECT_EQ(Mask(0x8000), 0xa282ead9u);  // Bit 15 becomes bit 0.
  const uint32_t crc = Value("foo", 3);
  EXPECT_NE(Mask(crc), crc);
  EXPECT_NE(Mask(Mask(crc)), crc);
  EXPECT_EQ(Unmask(Mask(crc)), crc);
  EXPECT_EQ(Unmask(Unmask(Mask(Mask(crc)))), crc);
}

}  // namespace
}  // namespace crc32c
}  // namespace leveldb
