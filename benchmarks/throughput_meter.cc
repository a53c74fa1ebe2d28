#include "benchmarks/throughput_meter.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace leveldb::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLookInterval = std::chrono::milliseconds(1);
constexpr double kSampleSeconds = 1;
// The rest at the end is a sample of its own only if it is long enough to give a rate.
constexpr double kLastSampleSecondsMin = 0.1;

double Seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// Watch reads the work again and again, and makes samples of the changes.
class Watch {
 public:
  explicit Watch(const WorkDone& work)
      : began_(Clock::now()),
        sample_began_(began_),
        changed_(began_),
        at_begin_(work),
        last_(work) {}

  void Look(const WorkDone& work) {
    const Clock::time_point now = Clock::now();
    // The time between two reads with a change is not a pause: the change may have come at once.
    if (work.operations == last_.operations) {
      longest_pause_ = std::max(longest_pause_, now - changed_);
    } else {
      changed_ = now;
    }
    last_ = work;
    now_ = now;
  }

  double SampleSeconds() const { return Seconds(now_ - sample_began_); }

  // Returns the sample up to the last read; the next one begins there.
  ThroughputSample TakeSample() {
    const double seconds = SampleSeconds();
    ThroughputSample sample;
    sample.end_seconds = Seconds(now_ - began_);
    sample.operations_per_second =
        static_cast<double>(last_.operations - at_begin_.operations) / seconds;
    sample.megabytes_per_second =
        static_cast<double>(last_.bytes - at_begin_.bytes) / 1048576.0 / seconds;
    sample.longest_pause_millis = Seconds(longest_pause_) * 1e3;
    sample_began_ = now_;
    at_begin_ = last_;
    longest_pause_ = Clock::duration::zero();
    return sample;
  }

 private:
  const Clock::time_point began_;
  Clock::time_point sample_began_;
  Clock::time_point changed_;
  Clock::time_point now_ = began_;
  WorkDone at_begin_;
  WorkDone last_;
  Clock::duration longest_pause_{};
};

}  // namespace

std::string FormatThroughput(const std::string& name, const ThroughputSample& sample) {
  char text[160];
  std::snprintf(text, sizeof(text),
                "%-12s : %6.1f s %11.0f ops/s %8.1f MB/s   longest pause %4.0f ms\n", name.c_str(),
                sample.end_seconds, sample.operations_per_second, sample.megabytes_per_second,
                sample.longest_pause_millis);
  return text;
}

ThroughputMeter::ThroughputMeter(const std::string& name, std::function<WorkDone()> look)
    : name_(name), look_(std::move(look)), thread_(&ThroughputMeter::Run, this) {}

const std::vector<ThroughputSample>& ThroughputMeter::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  if (thread_.joinable()) thread_.join();
  return samples_;
}

void ThroughputMeter::Run() {
  Watch watch(look_());
  const auto take = [this, &watch] {
    samples_.push_back(watch.TakeSample());
    std::fputs(FormatThroughput(name_, samples_.back()).c_str(), stdout);
    std::fflush(stdout);
  };
  std::unique_lock<std::mutex> lock(mutex_);
  bool ended = false;
  while (!ended) {
    ended = ends_.wait_for(lock, kLookInterval, [this] { return ended_; });
    watch.Look(look_());
    if (watch.SampleSeconds() >= (ended ? kLastSampleSecondsMin : kSampleSeconds)) take();
  }
}

}  // namespace leveldb::bench
