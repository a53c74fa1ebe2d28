// Zipf's distribution: rank i (from 0) is drawn with a probability in proportion to 1 / (i +
// 1)^theta.
#ifndef BUSHSTORE_YCSBC_ZIPFIAN_H_
#define BUSHSTORE_YCSBC_ZIPFIAN_H_

#include <cstdint>

#include "util/random.h"

namespace leveldb::ycsbc {

// Returns the sum of 1 / i^theta for i from 1 to n, by the Euler-Maclaurin formula: correct to
// twelve digits and as fast for ten billion as for a hundred.
double Zeta(uint64_t n, double theta);

// Returns a number in [0, 1).
inline double UniformReal(Random* random) {
  return static_cast<double>(random->Next() >> 11) * 0x1p-53;
}

// Zipfian draws ranks of Zipf's distribution. For theta < 1 it uses the closed form of Gray et al.
// ("Quickly Generating Billion-Record Synthetic Databases", SIGMOD 1994), as YCSB does. Ranks 0 and
// 1 are drawn exactly as often as they should be; the others follow a continuous curve, which is a
// few percent off for the next ranks. Gray's exponent 1 / (1 - theta) is undefined or negative from
// 1 on; there it uses rejection-inversion (Hormann and Derflinger, "Rejection-inversion to generate
// variates from monotone discrete distributions", TOMACS 1996), which is exact.
//
// Not thread-safe: each thread has its own.
class Zipfian {
 public:
  // REQUIRES: items > 0, theta >= 0.
  Zipfian(uint64_t items, double theta);

  // Changes the number of items. Cheap if it is a little greater than before.
  void Resize(uint64_t items);

  uint64_t items() const { return items_; }

  // Returns a rank below items().
  uint64_t Next(Random* random) const {
    return uses_gray_ ? NextByGray(random) : NextByRejection(random);
  }

  // Returns the probability that Next returns `rank`.
  double Probability(uint64_t rank) const;

 private:
  void PrepareGray();
  void PrepareRejection();
  uint64_t NextByGray(Random* random) const;
  uint64_t NextByRejection(Random* random) const;
  double GrayEdge(double rank) const;
  double Area(double x) const;
  double AreaInverse(double area) const;
  double Height(double x) const;

  uint64_t items_;
  const double theta_;
  const bool uses_gray_;

  // For Gray's form: where in [0, 1) the ranks 0 and 1 end, and the curve after them.
  double zeta_ = 0;
  double first_edge_ = 0;
  double second_edge_ = 0;
  double alpha_ = 0;
  double eta_ = 0;

  // For rejection-inversion: the range of areas to draw from, and the limit for acceptance without
  // a check.
  double area_begin_ = 0;
  double area_end_ = 0;
  double sure_ = 0;
};

// ScrambledZipfian is a zipfian choice among `items` whose popular ones are scattered among the
// others, as in YCSB: the rank is drawn from ten billion, and a hash of it is taken modulo the
// number of items. So every item may be drawn, and some items get two high ranks.
class ScrambledZipfian {
 public:
  static constexpr uint64_t kRanks = 10'000'000'000;

  // REQUIRES: items > 0.
  ScrambledZipfian(uint64_t items, double theta) : items_(items), ranks_(kRanks, theta) {}

  uint64_t Next(Random* random) const { return ItemOf(ranks_.Next(random)); }

  uint64_t ItemOf(uint64_t rank) const;
  const Zipfian& ranks() const { return ranks_; }

 private:
  const uint64_t items_;
  const Zipfian ranks_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_ZIPFIAN_H_
