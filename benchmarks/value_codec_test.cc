#include "benchmarks/value_codec.h"

#include <gtest/gtest.h>
#include <snappy.h>

#include <string>
#include <thread>
#include <vector>

namespace leveldb::bench {
namespace {

class ValueCodecTest : public testing::Test {
 protected:
  std::string Make(uint64_t key, Generation generation, size_t size) {
    return maker_.Make(key, generation, size).ToString();
  }

  bool Check(uint64_t key, const std::string& value) {
    generation_ = 0;
    return checker_.Check(key, value, &generation_);
  }

  static constexpr size_t kSizeMax = 3 * kPoolSize;

  const Density density_ = DensityFor(0.5, 100);
  ValuePool pool_{density_};
  ValueMaker maker_{pool_, kSizeMax};
  ValueChecker checker_{density_};
  Generation generation_ = 0;
};

TEST_F(ValueCodecTest, WhatWasMadeIsRight) {
  for (const size_t size : {size_t{1}, size_t{7}, size_t{8}, size_t{9}, size_t{100}, size_t{1024},
                            size_t{100000}, kPoolSize, kSizeMax}) {
    for (uint64_t key = 0; key < 20; ++key) {
      const auto generation = static_cast<Generation>(1 + key);
      ASSERT_TRUE(Check(key, Make(key, generation, size))) << key << " of " << size;
      ASSERT_EQ(generation, generation_);
    }
  }
}

TEST_F(ValueCodecTest, TheSameInEveryRun) {
  ValueMaker again(ValuePool(density_), 100);
  for (uint64_t key = 0; key < 100; ++key) {
    ASSERT_EQ(Make(key, 3, 100), again.Make(key, 3, 100).ToString());
  }
}

TEST_F(ValueCodecTest, AnyChangedByteIsFound) {
  const std::string value = Make(7, 1, 300);
  for (size_t i = 0; i < value.size(); ++i) {
    std::string changed = value;
    changed[i] ^= 1;
    ASSERT_FALSE(Check(7, changed)) << "byte " << i;
  }
}

TEST_F(ValueCodecTest, AnotherKeysValueIsFound) {
  const std::string value = Make(7, 1, 100);
  for (uint64_t key = 0; key < 1000; ++key) ASSERT_EQ(key == 7, Check(key, value));
}

TEST_F(ValueCodecTest, ShortenedAndLengthenedValuesAreFound) {
  const std::string value = Make(7, 1, 100);
  // Shorter values are mostly determined by the header itself.
  for (size_t size = 6; size < value.size(); ++size) ASSERT_FALSE(Check(7, value.substr(0, size)));
  EXPECT_FALSE(Check(7, value + "x"));
}

TEST_F(ValueCodecTest, GenerationsDiffer) {
  EXPECT_NE(Make(7, 1, 100), Make(7, 2, 100));
}

TEST_F(ValueCodecTest, EmptyValueSaysNothing) {
  generation_ = 9;
  EXPECT_TRUE(checker_.Check(7, Slice(), &generation_));
  EXPECT_EQ(9, generation_);
}

TEST_F(ValueCodecTest, ValuesOfOtherDensitiesAreCheckedByManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (const int density : {1, 25, 60, 100}) {
        ValueMaker maker(ValuePool(static_cast<Density>(density)), 500);
        for (uint64_t key = 0; key < 100; ++key) {
          Generation generation = 0;
          EXPECT_TRUE(checker_.Check(key, maker.Make(key, 5, 500), &generation));
          EXPECT_EQ(5, generation);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ValueCodecTest, GarbageIsWrong) {
  EXPECT_FALSE(Check(7, std::string(100, '\0')));
  EXPECT_FALSE(Check(7, std::string(100, '\xff')));
}

TEST(DensityTest, FollowsTheRatioAndAllowsForHeaders) {
  EXPECT_EQ(42, DensityFor(0.5, 100));
  EXPECT_EQ(49, DensityFor(0.5, 1024));
  EXPECT_EQ(50, DensityFor(0.5, 100000));
  EXPECT_EQ(1, DensityFor(0, 100));
  EXPECT_EQ(92, DensityFor(1, 100));
  EXPECT_EQ(42, DensityFor(0.5, 10));
}

TEST(DensityTest, ValuesCompressAboutAsAsked) {
  for (const double ratio : {0.25, 0.5, 0.8}) {
    for (const size_t size : {size_t{100}, size_t{1000}}) {
      ValueMaker maker(ValuePool(DensityFor(ratio, size)), size);
      std::string block;
      for (uint64_t key = 0; block.size() < 4096; ++key) {
        block += maker.Make(key * 31, 1, size).ToString();
      }
      std::string packed;
      snappy::Compress(block.data(), block.size(), &packed);
      EXPECT_NEAR(ratio, static_cast<double>(packed.size()) / static_cast<double>(block.size()),
                  0.1)
          << size;
    }
  }
}

}  // namespace
}  // namespace leveldb::bench
