#include "testing/seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace leveldb {
namespace testkit {

uint64_t AnnouncedSeed() {
  uint64_t seed;
  const char* wanted = std::getenv("BUSHSTORE_TEST_SEED");
  if (wanted != nullptr && *wanted != '\0') {
    seed = std::strtoull(wanted, nullptr, 10);
  } else {
    // 32 bits are enough for a fresh seed and short enough to type.
    seed = std::random_device()();
  }
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::printf(
      "seed %llu; to repeat: BUSHSTORE_TEST_SEED=%llu <this program> --gtest_filter=%s.%s\n",
      static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed),
      test == nullptr ? "*" : test->test_suite_name(), test == nullptr ? "*" : test->name());
  std::fflush(stdout);
  return seed;
}

int Scaled(int steps) {
  const char* text = std::getenv("BUSHSTORE_TEST_SCALE");
  const double scale = text == nullptr || *text == '\0' ? 1.0 : std::strtod(text, nullptr);
  return std::max(1, static_cast<int>(steps * scale));
}

}  // namespace testkit
}  // namespace leveldb
