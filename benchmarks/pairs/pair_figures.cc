#include "benchmarks/pairs/pair_figures.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace leveldb::bench {

namespace {

constexpr size_t kFewestForBounds = 6;

double OfSorted(const std::vector<double>& sorted, double rank) {
  const double last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<size_t>(std::clamp(rank, 0.0, last))];
}

}  // namespace

double Quantile(std::vector<double> values, double share) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  return OfSorted(values, share * static_cast<double>(values.size()));
}

MedianWithBounds MedianRatio(const std::vector<double>& first, const std::vector<double>& second) {
  assert(!first.empty() && first.size() == second.size());
  std::vector<double> ratios;
  for (size_t i = 0; i < first.size(); i++) ratios.push_back(second[i] / first[i]);
  std::sort(ratios.begin(), ratios.end());
  // The number of values below the true median is distributed like throws of a coin.
  const double count = static_cast<double>(ratios.size());
  const double reach = 1.96 * std::sqrt(count) / 2;
  const double middle = (count - 1) / 2;
  const double median =
      (OfSorted(ratios, std::floor(middle)) + OfSorted(ratios, std::ceil(middle))) / 2;
  return {median, OfSorted(ratios, std::floor(count / 2 - reach)),
          OfSorted(ratios, std::ceil(count / 2 + reach)), ratios.size() >= kFewestForBounds};
}

}  // namespace leveldb::bench
