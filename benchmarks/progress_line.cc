#include "benchmarks/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace leveldb::bench {

namespace {

constexpr auto kInterval = std::chrono::milliseconds(250);
constexpr char kWipeLine[] = "\r\x1b[K";

std::string WithThousands(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, 1, ',');
  }
  return text;
}

// Returns text such as "1.8 s", "12 min 05 s".
std::string Duration(double seconds) {
  char text[40];
  if (seconds < 100) {
    std::snprintf(text, sizeof(text), "%.1f s", seconds);
  } else {
    const auto whole = static_cast<unsigned long long>(seconds);
    std::snprintf(text, sizeof(text), "%llu min %02llu s", whole / 60, whole % 60);
  }
  return text;
}

}  // namespace

std::string FormatProgress(const std::string& name, uint64_t done, uint64_t total, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double percent =
      total == 0 ? 0
                 : std::min(100.0, 100.0 * static_cast<double>(done) / static_cast<double>(total));
  char text[160];
  std::snprintf(text, sizeof(text), "%-12s %5.1f%% %11s ops/s", name.c_str(), percent,
                WithThousands(static_cast<uint64_t>(rate)).c_str());
  if (rate == 0 || done >= total) return text;
  return text + ("    " + Duration(static_cast<double>(total - done) / rate)) + " left";
}

ProgressLine::ProgressLine(const std::string& name, uint64_t total,
                           std::function<uint64_t()> operations_done)
    : name_(name), total_(total), operations_done_(std::move(operations_done)) {
  if (isatty(STDERR_FILENO) == 0) return;
  thread_ = std::thread(&ProgressLine::Run, this);
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

void ProgressLine::Run() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ends_.wait_for(lock, kInterval, [this] { return ended_; })) {
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    const std::string line = FormatProgress(name_, operations_done_(), total_, seconds);
    std::fprintf(stderr, "%s%s", kWipeLine, line.c_str());
    std::fflush(stderr);
  }
  std::fputs(kWipeLine, stderr);
  std::fflush(stderr);
}

}  // namespace leveldb::bench
