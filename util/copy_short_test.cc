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

}  // namespace
}  // namespace leveldb
