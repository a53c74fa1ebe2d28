// ChiSquare is Pearson's chi-square test of drawn numbers against a distribution, for tests.
#ifndef BUSHSTORE_YCSBC_CHI_SQUARE_H_
#define BUSHSTORE_YCSBC_CHI_SQUARE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace leveldb::ycsbc {

// ChiSquare counts draws, and compares the counts with the expected ones.
class ChiSquare {
 public:
  void Add(uint64_t value) {
    if (value >= counts_.size()) counts_.resize(value + 1);
    ++counts_[value];
    ++draws_;
  }

  // Returns how far the counts of the values in [0, values) are from the theory, in standard
  // deviations of a correct generator, which stays between about -4 and 4. Neighbouring values
  // share a bin until about 20 draws are expected in it. A draw outside gives infinity.
  double Deviation(uint64_t values, const std::function<double(uint64_t)>& probability) const {
    if (counts_.size() > values) return INFINITY;
    std::vector<Bin> bins(1);
    for (uint64_t value = 0; value < values; ++value) {
      if (bins.back().expected >= kExpectedMin) bins.emplace_back();
      bins.back().expected += probability(value) * static_cast<double>(draws_);
      if (value < counts_.size()) bins.back().observed += static_cast<double>(counts_[value]);
    }
    if (bins.size() > 1 && bins.back().expected < kExpectedMin) {
      const Bin rest = bins.back();
      bins.pop_back();
      bins.back().expected += rest.expected;
      bins.back().observed += rest.observed;
    }
    if (bins.size() < 2) return 0;
    double statistic = 0;
    for (const Bin& bin : bins) {
      const double difference = bin.observed - bin.expected;
      statistic += difference * difference / bin.expected;
    }
    return NormalOf(statistic, static_cast<double>(bins.size()) - 1);
  }

 private:
  static constexpr double kExpectedMin = 20;

  struct Bin {
    double expected = 0;
    double observed = 0;
  };

  // Uses the approximation of Wilson and Hilferty: the cube root of chi-square is nearly normal.
  static double NormalOf(double statistic, double degrees) {
    const double spread = 2 / (9 * degrees);
    return (std::cbrt(statistic / degrees) - (1 - spread)) / std::sqrt(spread);
  }

  std::vector<uint64_t> counts_;
  uint64_t draws_ = 0;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_CHI_SQUARE_H_
