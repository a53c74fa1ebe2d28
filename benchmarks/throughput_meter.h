// ThroughputMeter measures the throughput of a benchmark second by second (--throughput), so that
// stalls become visible:
//
//   fillrandom   :    3.0 s      312450 ops/s    324.1 MB/s   longest pause    7 ms
#ifndef BUSHSTORE_BENCHMARKS_THROUGHPUT_METER_H_
#define BUSHSTORE_BENCHMARKS_THROUGHPUT_METER_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace leveldb::bench {

// WorkDone counts the work since a benchmark began.
struct WorkDone {
  uint64_t operations = 0;
  uint64_t bytes = 0;
};

// ThroughputSample covers one second of a benchmark; the last one may be shorter.
struct ThroughputSample {
  double end_seconds = 0;  // since the benchmark began
  double operations_per_second = 0;
  double megabytes_per_second = 0;
  // The longest time in which no thread finished an operation, to the millisecond. A pause belongs
  // to the second in which it ends, or to each one that it fills.
  double longest_pause_millis = 0;
};

// Returns the line of a sample, with its line feed.
std::string FormatThroughput(const std::string& name, const ThroughputSample& sample);

// ThroughputMeter samples the work from construction until Stop, in a thread of its own, and prints
// a line each second.
class ThroughputMeter {
 public:
  // `look` is called from another thread.
  ThroughputMeter(const std::string& name, std::function<WorkDone()> look);
  ~ThroughputMeter() { Stop(); }

  ThroughputMeter(const ThroughputMeter&) = delete;
  ThroughputMeter& operator=(const ThroughputMeter&) = delete;

  // Stops the thread; returns the samples, which are complete then. May be called again.
  const std::vector<ThroughputSample>& Stop();

 private:
  void Run();

  const std::string name_;
  const std::function<WorkDone()> look_;
  std::vector<ThroughputSample> samples_;  // owned by the thread until it has ended
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_THROUGHPUT_METER_H_
