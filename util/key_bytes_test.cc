// Compares the results with those of a loop over bytes, for all lengths around the words that are
// compared.
#include "util/key_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "testing/seed.h"
#include "util/random.h"

namespace leveldb {
namespace {

constexpr size_t kLongest = 27;

std::string RandomBytes(Random* random, size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; i++) bytes.push_back(static_cast<char>(random->Uniform(256)));
  return bytes;
}

// Returns the bytes in memory that ends where they do, so that a sanitizer detects reads beyond it.
std::vector<char> Fitted(const std::string& bytes) {
  return std::vector<char>(bytes.begin(), bytes.end());
}

uint64_t DigestByByte(const std::string& key, size_t prefix_length) {
  uint64_t digest = 0;
  for (size_t at = prefix_length; at < prefix_length + 8; at++) {
    digest = digest << 8 | (at < key.size() ? static_cast<uint8_t>(key[at]) : 0);
  }
  return digest;
}

TEST(KeyBytes, NumbersOrderAsTheirBytes) {
  const char bytes[] = {'\x80', '\x01', '\x02', '\x03', '\x04', '\x05', '\x06', '\x07'};
  EXPECT_EQ(0x80010203u, LoadBigEndian32(bytes));
  EXPECT_EQ(0x8001020304050607u, LoadBigEndian64(bytes));
}

TEST(KeyBytes, ADigestIsTheNextEightBytes) {
  Random random(testkit::AnnouncedSeed());
  for (size_t size = 0; size <= kLongest; size++) {
    const std::string bytes = RandomBytes(&random, size);
    const std::vector<char> key = Fitted(bytes);
    for (size_t prefix_length = 0; prefix_length <= size + 9; prefix_length++) {
      EXPECT_EQ(DigestByByte(bytes, prefix_length), DigestOf(key.data(), size, prefix_length))
          << size << " " << prefix_length;
    }
  }
}

TEST(KeyBytes, TwoStringsAreComparedAsByBytes) {
  Random random(testkit::AnnouncedSeed());
  for (size_t a_size = 0; a_size <= kLongest; a_size++) {
    for (size_t b_size = 0; b_size <= kLongest; b_size++) {
      const size_t least = std::min(a_size, b_size);
      const std::string a = RandomBytes(&random, a_size);
      const std::vector<char> fitted_a = Fitted(a);
      for (size_t shared = 0; shared <= least; shared++) {
        std::string b = a.substr(0, shared) + RandomBytes(&random, b_size - shared);
        if (shared < least) b[shared] = static_cast<char>(a[shared] ^ (1 + random.Uniform(255)));
        const std::vector<char> fitted_b = Fitted(b);
        EXPECT_EQ(shared, CommonPrefixLength(fitted_a.data(), fitted_b.data(), least))
            << a_size << " " << b_size;
        const int order = CompareBytes(fitted_a.data(), a_size, fitted_b.data(), b_size);
        EXPECT_EQ(a.compare(b) < 0, order < 0) << a_size << " " << b_size << " " << shared;
        EXPECT_EQ(a == b, order == 0) << a_size << " " << b_size << " " << shared;
        EXPECT_EQ(order, -CompareBytes(fitted_b.data(), b_size, fitted_a.data(), a_size));
      }
    }
  }
}

}  // namespace
}  // namespace leveldb
