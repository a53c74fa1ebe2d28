#include "benchmarks/paced_time.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace leveldb::bench {

namespace {

constexpr double kStretchNanos = 5e5;

// The duration from which several operations in one stretch are taken to have stood still.
constexpr double kLongNanos = 4 * kStretchNanos;

// Pieces of arithmetic that take at most this multiple of the quickest count as quick.
constexpr double kNearlyBest = 1.1;

// The quickest piece is the quantile of one in this many: a single shorter one may be an error of
// the clock.
constexpr size_t kQuickest = 50;

double NanosSince(std::chrono::steady_clock::time_point began) {
  using Nanos = std::chrono::duration<double, std::nano>;
  return Nanos(std::chrono::steady_clock::now() - began).count();
}

uint64_t Step(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ (x << 17);
}

// Returns the nanoseconds of arithmetic that keeps all units busy and needs no memory.
double NanosOfArithmetic() {
  constexpr int kSteps = 4000;
  static std::atomic<uint64_t> result;  // so that it is not optimized away
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

// Returns whether operations stood still. A single long operation is normal.
bool HasStoodStill(const PacedTime::Stretch& stretch) {
  return stretch.operations > 1 && stretch.nanos > kLongNanos;
}

double Quickest(const std::vector<PacedTime::Stretch>& stretches) {
  std::vector<double> paces;
  for (const PacedTime::Stretch& stretch : stretches) paces.push_back(stretch.pace_nanos);
  const auto quickest = paces.begin() + static_cast<ptrdiff_t>(paces.size() / kQuickest);
  std::ranges::nth_element(paces, quickest);
  return *quickest;
}

}  // namespace

double PacedTime::TakePace() {
  const double nanos = NanosOfArithmetic();
  arithmetic_nanos_ += nanos;
  return nanos;
}

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
  // Sets the number of operations that fill a stretch, if they continue at this rate.
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
  const double pace_nanos = Quickest(stretches_);
  Stretch all = {};
  Stretch best = {};
  Stretch still = {};
  const auto add = [](const Stretch& stretch, Stretch* sum) {
    sum->operations += stretch.operations;
    sum->nanos += stretch.nanos;
  };
  for (const Stretch& stretch : stretches_) {
    add(stretch, &all);
    if (HasStoodStill(stretch)) {
      add(stretch, &still);
    } else if (stretch.pace_nanos <= kNearlyBest * pace_nanos) {
      add(stretch, &best);
    }
  }
  if (best.operations == 0) return {pace_nanos, 0, 0};
  const double each = best.nanos / static_cast<double>(best.operations);
  const double more = still.nanos - each * static_cast<double>(still.operations);
  const double operations = static_cast<double>(all.operations);
  return {pace_nanos, (each + more / operations) / 1e3,
          static_cast<double>(best.operations) / operations};
}

}  // namespace leveldb::bench
