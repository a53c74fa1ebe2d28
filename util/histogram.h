// Histogram counts durations, for latencies from tens of nanoseconds to an hour.
//
// Buckets are log-linear over nanoseconds: up to 128 ns each nanosecond has its own; above, every
// power of two is divided into 64 equal parts. A value read back from a bucket is therefore off by
// less than 1.6 %, at any scale, and the whole range takes 19 KiB.
#ifndef BUSHSTORE_UTIL_HISTOGRAM_H_
#define BUSHSTORE_UTIL_HISTOGRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace leveldb {

// Histogram is not thread-safe: give each thread its own and Merge() them.
class Histogram {
 public:
  Histogram();

  // Removes all values.
  void Clear();

  // Adds one duration. A negative value counts as 0; a value beyond the range (about 73 minutes) is
  // counted in the last bucket, with its true value kept in Max(), Average() and StdDev().
  void Add(double micros);

  // Adds all values of `other`.
  void Merge(const Histogram& other);

  uint64_t Count() const { return count_; }

  // All of the following return microseconds, and 0 while the histogram is empty.
  double Min() const;
  double Max() const { return max_; }
  double Average() const;
  double StdDev() const;

  // Returns the duration that `p` percent of the values do not exceed, 0 <= p <= 100. It is
  // interpolated inside a bucket, and never outside [Min(), Max()].
  double Percentile(double p) const;

  // Returns several lines of text: count, average and deviation; minimum, median and maximum; the
  // tail percentiles; then one line with a bar for each half power of two that has values.
  std::string ToString() const;

 private:
  static constexpr int kSubBucketBits = 6;
  static constexpr uint64_t kSubBuckets = uint64_t{1} << kSubBucketBits;
  static constexpr int kRangeBits = 42;
  static constexpr uint64_t kRangeNanos = uint64_t{1} << kRangeBits;
  static constexpr size_t kBuckets = (kRangeBits - kSubBucketBits + 1) * kSubBuckets;

  static size_t BucketOf(uint64_t nanos);
  static uint64_t LowerBound(size_t bucket);
  static std::string Bar(uint64_t begin_nanos, uint64_t end_nanos, uint64_t values,
                         uint64_t values_so_far, uint64_t values_in_all);

  std::array<uint64_t, kBuckets> buckets_;
  uint64_t count_;
  double min_;
  double max_;
  double sum_;
  double sum_of_squares_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_HISTOGRAM_H_
