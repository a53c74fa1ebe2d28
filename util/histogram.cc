#include "util/histogram.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <limits>

namespace leveldb {

namespace {

constexpr double kNanosPerMicro = 1000.0;

}  // namespace

Histogram::Histogram() {
  Clear();
}

void Histogram::Clear() {
  buckets_.fill(0);
  count_ = 0;
  min_ = std::numeric_limits<double>::infinity();
  max_ = 0;
  sum_ = 0;
  sum_of_squares_ = 0;
}

size_t Histogram::BucketOf(uint64_t nanos) {
  assert(nanos < kRangeNanos);
  if (nanos < 2 * kSubBuckets) return static_cast<size_t>(nanos);
  const int shift = std::bit_width(nanos) - 1 - kSubBucketBits;
  return static_cast<size_t>(shift * kSubBuckets + (nanos >> shift));
}

uint64_t Histogram::LowerBound(size_t bucket) {
  if (bucket < 2 * kSubBuckets) return bucket;
  const uint64_t shift = bucket / kSubBuckets - 1;
  return (bucket % kSubBuckets + kSubBuckets) << shift;
}

void Histogram::Add(double micros) {
  if (!(micros > 0)) micros = 0;
  const double nanos = std::min(micros * kNanosPerMicro, static_cast<double>(kRangeNanos - 1));
  ++buckets_[BucketOf(static_cast<uint64_t>(nanos + 0.5))];
  ++count_;
  min_ = std::min(min_, micros);
  max_ = std::max(max_, micros);
  sum_ += micros;
  sum_of_squares_ += micros * micros;
}

void Histogram::Merge(const Histogram& other) {
  for (size_t i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
  sum_of_squares_ += other.sum_of_squares_;
}

double Histogram::Min() const {
  return count_ == 0 ? 0 : min_;
}

double Histogram::Average() const {
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}

double Histogram::StdDev() const {
  if (count_ == 0) return 0;
  const double average = Average();
  const double variance = sum_of_squares_ / static_cast<double>(count_) - average * average;
  return std::sqrt(std::max(variance, 0.0));
}

double Histogram::Percentile(double p) const {
  assert(p >= 0);
  assert(p <= 100);
  if (count_ == 0) return 0;
  const double rank = static_cast<double>(count_) * p / 100.0;
  double below = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    const double here = static_cast<double>(buckets_[i]);
    if (here == 0 || below + here < rank) {
      below += here;
      continue;
    }
    // Bucket i holds the values that round to [LowerBound(i), LowerBound(i + 1)) nanoseconds.
    const double begin = static_cast<double>(LowerBound(i));
    const double width = static_cast<double>(LowerBound(i + 1)) - begin;
    const double share = std::max(rank - below, 0.0) / here;
    const double micros = (begin + width * share - 0.5) / kNanosPerMicro;
    return std::clamp(micros, min_, max_);
  }
  return max_;
}

std::string Histogram::Bar(uint64_t begin_nanos, uint64_t end_nanos, uint64_t values,
                           uint64_t values_so_far, uint64_t values_in_all) {
  const double percent = 100.0 * static_cast<double>(values) / static_cast<double>(values_in_all);
  const double percent_so_far =
      100.0 * static_cast<double>(values_so_far) / static_cast<double>(values_in_all);
  char line[160];
  std::snprintf(line, sizeof(line), "[ %12.2f, %12.2f ) %10llu %7.3f%% %7.3f%% ",
                static_cast<double>(begin_nanos) / kNanosPerMicro,
                static_cast<double>(end_nanos) / kNanosPerMicro,
                static_cast<unsigned long long>(values), percent, percent_so_far);
  std::string bar = line;
  bar.append(static_cast<size_t>(percent / 5 + 0.5), '#');
  bar += '\n';
  return bar;
}

std::string Histogram::ToString() const {
  char lines[400];
  std::snprintf(lines, sizeof(lines),
                "Count: %llu  Average: %.3f  StdDev: %.2f\n"
                "Min: %.2f  Median: %.2f  Max: %.2f\n"
                "P50: %.2f  P95: %.2f  P99: %.2f  P99.9: %.2f  P99.99: %.2f\n",
                static_cast<unsigned long long>(count_), Average(), StdDev(), Min(), Percentile(50),
                Max(), Percentile(50), Percentile(95), Percentile(99), Percentile(99.9),
                Percentile(99.99));
  std::string text = lines;
  text.append(70, '-');
  text += '\n';

  constexpr size_t kBucketsPerBar = kSubBuckets / 2;
  uint64_t so_far = 0;
  for (size_t first = 0; first < kBuckets; first += kBucketsPerBar) {
    uint64_t values = 0;
    for (size_t i = first; i < first + kBucketsPerBar; ++i) values += buckets_[i];
    if (values == 0) continue;
    so_far += values;
    text += Bar(LowerBound(first), LowerBound(first + kBucketsPerBar), values, so_far, count_);
  }
  return text;
}

}  // namespace leveldb
