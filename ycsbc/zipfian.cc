#include "ycsbc/zipfian.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "ycsbc/mix64.h"

namespace leveldb::ycsbc {

namespace {

// The first terms of a zeta are added up one by one; the formula covers the rest.
constexpr uint64_t kExactTerms = 64;
// Closer to 1, Gray's form loses the digits of 1 - theta.
constexpr double kGrayThetaMax = 1 - 1e-6;
// A sum that grows by more terms than this is computed again.
constexpr uint64_t kTermsToAddMax = 100;

double SumOfTerms(uint64_t begin, uint64_t end, double theta) {
  double sum = 0;
  for (uint64_t i = begin; i < end; ++i) sum += std::pow(static_cast<double>(i), -theta);
  return sum;
}

// Returns the sum of the derivatives in the formula, each with its factor (a Bernoulli number over
// a factorial).
double EulerTerms(double x, double theta) {
  const double first = -theta * std::pow(x, -theta - 1);
  const double third = first * (theta + 1) * (theta + 2) / (x * x);
  const double fifth = third * (theta + 3) * (theta + 4) / (x * x);
  return first / 12 - third / 720 + fifth / 30240;
}

// Return (e^t - 1) / t and log(1 + t) / t, also for t near 0.
double ExpRatio(double t) {
  return std::abs(t) > 1e-8 ? std::expm1(t) / t : 1 + t / 2;
}
double LogRatio(double t) {
  return std::abs(t) > 1e-8 ? std::log1p(t) / t : 1 - t / 2;
}

}  // namespace

double Zeta(uint64_t n, double theta) {
  if (n <= kExactTerms) return SumOfTerms(1, n + 1, theta);
  const auto from = static_cast<double>(kExactTerms);
  const auto to = static_cast<double>(n);
  const double log_from = std::log(from);
  const double log_ratio = std::log(to / from);
  // The integral of x^-theta, written so that theta = 1 needs no special case.
  const double integral =
      std::exp((1 - theta) * log_from) * log_ratio * ExpRatio((1 - theta) * log_ratio);
  const double ends = (std::pow(to, -theta) - std::pow(from, -theta)) / 2;
  return SumOfTerms(1, kExactTerms + 1, theta) + integral + ends + EulerTerms(to, theta) -
         EulerTerms(from, theta);
}

Zipfian::Zipfian(uint64_t items, double theta)
    : items_(items), theta_(theta), uses_gray_(theta < kGrayThetaMax) {
  assert(items > 0);
  assert(theta >= 0);
  if (uses_gray_) {
    zeta_ = Zeta(items, theta);
    PrepareGray();
  } else {
    PrepareRejection();
  }
}

void Zipfian::Resize(uint64_t items) {
  assert(items > 0);
  if (items == items_) return;
  const uint64_t before = items_;
  items_ = items;
  if (!uses_gray_) {
    PrepareRejection();
    return;
  }
  const bool grows_a_little = items > before && items - before <= kTermsToAddMax;
  zeta_ = grows_a_little ? zeta_ + SumOfTerms(before + 1, items + 1, theta_) : Zeta(items, theta_);
  PrepareGray();
}

void Zipfian::PrepareGray() {
  first_edge_ = 1 / zeta_;
  second_edge_ = (1 + std::pow(0.5, theta_)) / zeta_;
  alpha_ = 1 / (1 - theta_);
  const double n = static_cast<double>(items_);
  if (items_ > 2) eta_ = (1 - std::pow(2 / n, 1 - theta_)) / (1 - second_edge_);
}

uint64_t Zipfian::NextByGray(Random* random) const {
  const double u = UniformReal(random);
  if (u < first_edge_ || items_ == 1) return 0;
  if (u < second_edge_ || items_ == 2) return 1;
  const double n = static_cast<double>(items_);
  const double rank = n * std::pow(eta_ * u - eta_ + 1, alpha_);
  return std::min(static_cast<uint64_t>(rank), items_ - 1);
}

// Returns the number in [0, 1) from which on Gray's curve gives `rank` or more.
double Zipfian::GrayEdge(double rank) const {
  const double n = static_cast<double>(items_);
  return (std::pow(rank / n, 1 - theta_) - 1) / eta_ + 1;
}

// Rejection-inversion: the ranks' probabilities are bars of width 1 around 1, 2, 3...; a point is
// drawn from the area under the curve x^-theta that covers them, and is accepted if it is in a bar,
// too. The first bar is cut to fit, so that it is always hit.
void Zipfian::PrepareRejection() {
  area_begin_ = Area(1.5) - 1;
  area_end_ = Area(static_cast<double>(items_) + 0.5);
  sure_ = 2 - AreaInverse(Area(2.5) - Height(2));
}

double Zipfian::Height(double x) const {
  return std::exp(-theta_ * std::log(x));
}

double Zipfian::Area(double x) const {
  const double log_x = std::log(x);
  return log_x * ExpRatio((1 - theta_) * log_x);
}

double Zipfian::AreaInverse(double area) const {
  const double t = std::max(area * (1 - theta_), -1.0);
  return std::exp(LogRatio(t) * area);
}

uint64_t Zipfian::NextByRejection(Random* random) const {
  const double n = static_cast<double>(items_);
  while (true) {
    const double area = area_end_ + UniformReal(random) * (area_begin_ - area_end_);
    const double x = AreaInverse(area);
    const double bar = std::clamp(std::floor(x + 0.5), 1.0, n);
    if (bar - x <= sure_ || area >= Area(bar + 0.5) - Height(bar)) {
      return static_cast<uint64_t>(bar) - 1;
    }
  }
}

double Zipfian::Probability(uint64_t rank) const {
  assert(rank < items_);
  if (!uses_gray_) return Height(static_cast<double>(rank + 1)) / Zeta(items_, theta_);
  if (rank == 0) return first_edge_;
  if (rank == 1) return second_edge_ - first_edge_;
  const auto begin = static_cast<double>(rank);
  return GrayEdge(begin + 1) - GrayEdge(begin);
}

uint64_t ScrambledZipfian::ItemOf(uint64_t rank) const {
  return Mix64(rank + 0x2545f4914f6cdd1d) % items_;
}

}  // namespace leveldb::ycsbc
