// ProgressLine shows on a terminal how far a benchmark has come:
//
//   fillrandom    45.2%     312,450 ops/s    1.8 s left
#ifndef BUSHSTORE_BENCHMARKS_PROGRESS_LINE_H_
#define BUSHSTORE_BENCHMARKS_PROGRESS_LINE_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace leveldb::bench {

// Returns the text of the line, without the control characters around it.
std::string FormatProgress(const std::string& name, uint64_t done, uint64_t total, double seconds);

// ProgressLine redraws the line on standard error from construction to destruction, which erases
// it. It does nothing if standard error is not a terminal.
class ProgressLine {
 public:
  // `operations_done` is called from another thread.
  ProgressLine(const std::string& name, uint64_t total, std::function<uint64_t()> operations_done);
  ~ProgressLine();

  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void Run();

  const std::string name_;
  const uint64_t total_;
  const std::function<uint64_t()> operations_done_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PROGRESS_LINE_H_
