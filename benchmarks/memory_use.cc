#include "benchmarks/memory_use.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

namespace leveldb::bench {

namespace {

constexpr auto kSampleInterval = std::chrono::milliseconds(50);
constexpr uint64_t kBytesPerKib = 1024;

}  // namespace

uint64_t PeakResidentBytes() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<uint64_t>(usage.ru_maxrss) * kBytesPerKib;
}

uint64_t AnonymousBytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t size = 0;
  uint64_t resident = 0;
  uint64_t shared = 0;
  if (!(statm >> size >> resident >> shared) || resident < shared) return 0;
  return (resident - shared) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

AnonymousPeak::AnonymousPeak() : thread_(&AnonymousPeak::Run, this) {}

AnonymousPeak::~AnonymousPeak() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

uint64_t AnonymousPeak::bytes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  peak_ = std::max(peak_, AnonymousBytes());
  return peak_;
}

void AnonymousPeak::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  do {
    peak_ = std::max(peak_, AnonymousBytes());
  } while (!ends_.wait_for(lock, kSampleInterval, [this] { return ended_; }));
}

}  // namespace leveldb::bench
