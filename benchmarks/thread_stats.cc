#include "benchmarks/thread_stats.h"

#include <algorithm>

namespace leveldb::bench {

ThreadStats::ThreadStats(bool with_histogram, bool with_pace) {
  if (with_histogram) histogram_ = std::make_unique<Histogram>();
  if (with_pace) paced_ = std::make_unique<PacedTime>();
}

void ThreadStats::Start() {
  began_ = Clock::now();
  ended_ = began_;
  if (paced_ != nullptr) paced_->Start();
}

void ThreadStats::Stop() {
  ended_ = Clock::now();
  busy_seconds_ = std::chrono::duration<double>(ended_ - began_).count();
  if (paced_ != nullptr) busy_seconds_ -= paced_->arithmetic_seconds();
}

void ThreadStats::AddLatency() {
  using Micros = std::chrono::duration<double, std::micro>;
  histogram_->Add(Micros(Clock::now() - operation_began_).count());
}

void ThreadStats::Merge(const ThreadStats& other) {
  operations_.store(operations() + other.operations(), std::memory_order_relaxed);
  AddBytes(other.bytes());
  found_ += other.found_;
  busy_seconds_ += other.busy_seconds_;
  began_ = std::min(began_, other.began_);
  ended_ = std::max(ended_, other.ended_);
  if (histogram_ != nullptr && other.histogram_ != nullptr) histogram_->Merge(*other.histogram_);
  if (paced_ != nullptr && other.paced_ != nullptr) paced_->Merge(*other.paced_);
  if (message_.empty()) message_ = other.message_;
}

double ThreadStats::elapsed_seconds() const {
  return std::chrono::duration<double>(ended_ - began_).count();
}

}  // namespace leveldb::bench
