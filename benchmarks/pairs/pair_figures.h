// Functions that evaluate the turns of two libraries.
#ifndef BUSHSTORE_BENCHMARKS_PAIRS_PAIR_FIGURES_H_
#define BUSHSTORE_BENCHMARKS_PAIRS_PAIR_FIGURES_H_

#include <vector>

namespace leveldb::bench {

// Returns the value below which a share of them is. REQUIRES: `values` is not empty.
double Quantile(std::vector<double> values, double share);

// A median with its 95 % confidence interval, which holds for any distribution of independent
// values (by the ranks of a sign test).
struct MedianWithBounds {
  double median;
  double low;
  double high;
  bool has_bounds;  // false for fewer than six values, which allow no such statement
};

// Returns the median of second[i] / first[i]. REQUIRES: both have the same size, at least one.
MedianWithBounds MedianRatio(const std::vector<double>& first, const std::vector<double>& second);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PAIRS_PAIR_FIGURES_H_
