// The figures of two libraries that took turns.
#ifndef BUSHSTORE_BENCHMARKS_PAIRS_PAIR_FIGURES_H_
#define BUSHSTORE_BENCHMARKS_PAIRS_PAIR_FIGURES_H_

#include <vector>

namespace leveldb::bench {

// The value below which a share of them is. REQUIRES: there is one.
double Quantile(std::vector<double> values, double share);

// A median, and between what that of very many would be in 95 of 100 cases, whatever the values are
// distributed like (by the ranks of a sign test), if they do not depend on each other.
struct MedianWithBounds {
  double median;
  double low;
  double high;
  bool has_bounds;  // fewer than six values say nothing of that kind
};

// Of second[i] / first[i]. REQUIRES: as many of one as of the other, and at least one.
MedianWithBounds MedianRatio(const std::vector<double>& first, const std::vector<double>& second);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PAIRS_PAIR_FIGURES_H_
