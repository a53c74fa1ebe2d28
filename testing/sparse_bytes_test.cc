#include "testing/sparse_bytes.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kPage = SparseBytes::kPage;

TEST(SparseBytes, IsZerosWhereNothingWasWritten) {
  SparseBytes bytes(3 * kPage);
  bytes.Write(kPage - 1, "ab", 2);
  EXPECT_EQ(std::string("\0ab\0", 4), bytes.Read(kPage - 2, 4));
  EXPECT_EQ(std::string(100, '\0'), bytes.Read(2 * kPage, 100));
  EXPECT_TRUE(bytes.Equals(2 * kPage, std::string(kPage, '\0').data(), kPage));
  EXPECT_TRUE(bytes.Equals(kPage, "b", 1));
  EXPECT_FALSE(bytes.Equals(kPage, "c", 1));
}

TEST(SparseBytes, APartThatIsTakenLeavesZeros) {
  SparseBytes bytes(3 * kPage + 10);
  for (uint64_t page = 0; page < 4; page++) bytes.Write(page * kPage + 5, "x", 1);
  const SparseBytes part = bytes.TakePart(kPage, kPage);
  EXPECT_EQ(kPage, part.size());
  EXPECT_EQ("x", part.Read(5, 1));
  EXPECT_EQ(std::string(1, '\0'), bytes.Read(kPage + 5, 1));
  EXPECT_EQ("x", bytes.Read(5, 1));
  EXPECT_EQ("x", bytes.Read(2 * kPage + 5, 1));

  const SparseBytes last = bytes.TakePart(2 * kPage, kPage + 10);
  EXPECT_EQ("x", last.Read(5, 1));
  EXPECT_EQ("x", last.Read(kPage + 5, 1));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
