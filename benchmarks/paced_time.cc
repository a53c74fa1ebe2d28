#include "benchmarks/paced_time.h"

#include <algorithm>
#include <atomic>

namespace leveldb::bench {

namespace {

constexpr double kStretchNanos = 5e5;

// Pieces that take no more than this, of the quickest one, are as good as that.
constexpr double kNearlyBest = 1.1;

double NanosSince(std::chrono::steady_clock::time_point began) {
  using Nanos = std::chrono::duration<double, std::nano>;
  return Nanos(std::chrono::steady_clock::now() - began).count();
}

uint64_t Step(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ (x << 17);
}

// Nanoseconds of arithmetic that keeps all units busy and needs no memory.
double TakePace() {
  constexpr int kSteps = 4000;
  static std::atomic<uint64_t> result;  // so that it is not left out
  uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < kSteps; i++) {
    a = Step(a);
    b = Step(b);
    c = Step(c);
    d = Step(d);
    e = Step(e);
    f = Step(f);
  }
  result.store(a ^ b ^ c ^ d ^ e ^ f, std::memory_order_relaxed);
  return NanosSince(began);
}

}  // namespace

void PacedTime::Start() {
  pace_before_ = TakePace();
  BeginStretch();
}

void PacedTime::BeginStretch() {
  operations_ = 0;
  began_ = Clock::now();
}

void PacedTime::EndStretch() {
  const double nanos = NanosSince(began_);
  const double pace_behind = TakePace();
  Add(Stretch{operations_, nanos, std::max(pace_before_, pace_behind)});
  // As many as fill a stretch, if they go on like this.
  const double wanted = static_cast<double>(operations_) * kStretchNanos / std::max(nanos, 1.0);
  operations_wanted_ =
      static_cast<uint64_t>(std::clamp(wanted, 1.0, 10 * static_cast<double>(operations_)));
  pace_before_ = pace_behind;
  BeginStretch();
}

void PacedTime::Merge(const PacedTime& other) {
  stretches_.insert(stretches_.end(), other.stretches_.begin(), other.stretches_.end());
}

PacedTime::Result PacedTime::Sum() const {
  if (stretches_.empty()) return Result();
  const auto best = std::ranges::min_element(stretches_, {}, &Stretch::pace_nanos);
  uint64_t all = 0;
  uint64_t operations = 0;
  double nanos = 0;
  for (const Stretch& stretch : stretches_) {
    all += stretch.operations;
    if (stretch.pace_nanos > kNearlyBest * best->pace_nanos) continue;
    operations += stretch.operations;
    nanos += stretch.nanos;
  }
  const double count = static_cast<double>(operations);
  return {best->pace_nanos, nanos / 1e3 / count, count / static_cast<double>(all)};
}

}  // namespace leveldb::bench
