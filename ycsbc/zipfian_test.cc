#include "ycsbc/zipfian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ycsbc/chi_square.h"
#include "ycsbc/mix64.h"

namespace leveldb::ycsbc {
namespace {

constexpr uint64_t kSeed = 20240501;
constexpr int kDraws = 400'000;
constexpr double kThetas[] = {0, 0.2, 0.5, 0.9, 0.99, 0.999, 1, 1.05, 1.1, 2};

double SumTermByTerm(uint64_t n, double theta) {
  double sum = 0;
  for (uint64_t i = n; i > 0; --i) sum += std::pow(static_cast<double>(i), -theta);
  return sum;
}

TEST(ZetaTest, IsTheSum) {
  for (const double theta : kThetas) {
    for (const uint64_t n : {1, 2, 3, 63, 64, 65, 66, 100, 1000, 1'000'000}) {
      const double sum = SumTermByTerm(n, theta);
      EXPECT_NEAR(1, Zeta(n, theta) / sum, 1e-12) << n << " " << theta;
    }
  }
}

// The expected value is YCSB's constant for its ten billion items.
TEST(ZetaTest, OfTenBillionItems) {
  EXPECT_NEAR(26.46902820178302, Zeta(10'000'000'000, 0.99), 1e-9);
}

TEST(ZipfianTest, DrawsFollowTheory) {
  for (const double theta : kThetas) {
    for (const uint64_t items : {1, 2, 3, 10, 1000, 100'000}) {
      const Zipfian zipfian(items, theta);
      Random random(kSeed);
      ChiSquare draws;
      for (int i = 0; i < kDraws; ++i) draws.Add(zipfian.Next(&random));
      const double deviation =
          draws.Deviation(items, [&](uint64_t rank) { return zipfian.Probability(rank); });
      EXPECT_LT(deviation, 4.5) << items << " items, theta " << theta;
    }
  }
}

TEST(ZipfianTest, ProbabilitiesAreThoseOfZipf) {
  for (const double theta : kThetas) {
    for (const uint64_t items : {2, 3, 10, 1000}) {
      const Zipfian zipfian(items, theta);
      double sum = 0;
      double wrong = 0;
      for (uint64_t rank = 0; rank < items; ++rank) {
        const double zipf =
            std::pow(static_cast<double>(rank + 1), -theta) / SumTermByTerm(items, theta);
        const double probability = zipfian.Probability(rank);
        sum += probability;
        wrong += std::abs(probability - zipf) / 2;
        if (rank < 2) {
          EXPECT_NEAR(zipf, probability, 1e-12) << items << " " << theta;
        }
      }
      EXPECT_NEAR(1, sum, 1e-9) << items << " items, theta " << theta;
      // The probability that Gray's form gives to wrong ranks.
      EXPECT_LT(wrong, theta < 1 ? 0.04 : 1e-12) << items << " items, theta " << theta;
    }
  }
}

// There is no discontinuity where the method changes, at theta = 1.
TEST(ZipfianTest, BothMethodsAgreeAtOne) {
  const uint64_t items = 1000;
  double counts[2][4] = {};
  int method = 0;
  for (const double theta : {1 - 2e-6, 1.0}) {
    const Zipfian zipfian(items, theta);
    Random random(kSeed);
    for (int i = 0; i < kDraws; ++i) {
      const uint64_t rank = zipfian.Next(&random);
      ++counts[method][rank == 0 ? 0 : rank == 1 ? 1 : rank < 50 ? 2 : 3];
    }
    ++method;
  }
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(1, counts[0][i] / counts[1][i], 0.05) << i;
}

TEST(ZipfianTest, AGrownOneIsAsGoodAsNew) {
  for (const double theta : {0.5, 0.99, 1.1}) {
    Zipfian grown(3, theta);
    for (uint64_t items = 4; items <= 2000; items += 1 + items % 3) grown.Resize(items);
    grown.Resize(5000);
    grown.Resize(5001);
    const Zipfian fresh(5001, theta);
    for (const uint64_t rank : {0, 1, 2, 77, 5000}) {
      EXPECT_NEAR(1, grown.Probability(rank) / fresh.Probability(rank), 1e-9) << rank;
    }
    grown.Resize(10);
    Random random(kSeed);
    ChiSquare draws;
    for (int i = 0; i < kDraws; ++i) draws.Add(grown.Next(&random));
    EXPECT_LT(draws.Deviation(10, [&](uint64_t rank) { return grown.Probability(rank); }), 4.5);
  }
}

TEST(ZipfianTest, TheSameSeedDrawsTheSame) {
  const Zipfian zipfian(1000, 0.99);
  Random one(kSeed);
  Random two(kSeed);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(zipfian.Next(&one), zipfian.Next(&two));
}

// An item's probability is the sum of those of its ranks. The first million ranks are mapped to
// their items one by one; the remaining ones are so many and so flat that they hit all items alike.
TEST(ScrambledZipfianTest, DrawsFollowTheory) {
  constexpr uint64_t kItems = 1000;
  constexpr uint64_t kHead = 1'000'000;
  for (const double theta : {0.0, 0.5, 0.99, 1.0, 1.1}) {
    const ScrambledZipfian zipfian(kItems, theta);
    std::vector<double> probabilities(kItems, 0);
    double rest = 1;
    for (uint64_t rank = 0; rank < kHead; ++rank) {
      const double probability = zipfian.ranks().Probability(rank);
      probabilities[zipfian.ItemOf(rank)] += probability;
      rest -= probability;
    }
    Random random(kSeed);
    ChiSquare draws;
    for (int i = 0; i < kDraws; ++i) draws.Add(zipfian.Next(&random));
    const double deviation =
        draws.Deviation(kItems, [&](uint64_t item) { return probabilities[item] + rest / kItems; });
    EXPECT_LT(deviation, 4.5) << theta;
  }
}

TEST(Mix64Test, NumbersBelowTwoToThe63AreLedThereAndBack) {
  Random random(kSeed);
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t number = random.Next() >> (1 + random.Uniform(62));
    const uint64_t image = Mix63(number);
    EXPECT_LE(image, kMix63Mask);
    EXPECT_EQ(number, Unmix63(image));
  }
}

// Each bit of the number changes each bit of its image in about half of the cases.
TEST(Mix64Test, EveryBitSpreads) {
  constexpr int kNumbers = 4000;
  for (int in = 0; in < kMix63Bits; ++in) {
    int changes[64] = {};
    for (uint64_t number = 0; number < kNumbers; ++number) {
      const uint64_t change = Mix63(number) ^ Mix63(number ^ uint64_t{1} << in);
      for (int out = 0; out < kMix63Bits; ++out) {
        changes[out] += static_cast<int>(change >> out & 1);
      }
    }
    for (int out = 0; out < kMix63Bits; ++out) {
      EXPECT_NEAR(0.5, changes[out] / double{kNumbers}, 0.2) << in << " " << out;
    }
  }
}

}  // namespace
}  // namespace leveldb::ycsbc
