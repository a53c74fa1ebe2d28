#include "util/copy_short.h"

#include <string>

#include "gtest/gtest.h"

namespace leveldb {
namespace {

TEST(CopyShortTest, CopiesAsManyBytesAsItShould) {
  std::string from;
  for (int i = 0; i < 100; i++) from.push_back(static_cast<char>('!' + i % 90));
  for (size_t size = 0; size <= 70; size++) {
    std::string to(100, '~');
    CopyShort(to.data() + 10, from.data() + 3, size);
    EXPECT_EQ(std::string(10, '~') + from.substr(3, size) + std::string(90 - size, '~'), to);
  }
}

TEST(CopyShortTest, AssignsWhatAStringWouldHold) {
  const std::string from(100, 'x');
  std::string to = "before";
  for (const size_t size : {0, 3, 16, 16, 40, 7, 100, 1}) {
    AssignShort(&to, from.data(), size);
    EXPECT_EQ(from.substr(0, size), to);
  }
}

}  // namespace
}  // namespace leveldb
