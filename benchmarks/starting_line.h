// StartingLine lets the threads of a benchmark begin at the same moment.
#ifndef BUSHSTORE_BENCHMARKS_STARTING_LINE_H_
#define BUSHSTORE_BENCHMARKS_STARTING_LINE_H_

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace leveldb::bench {

// It blocks threads until all of them have arrived.
class StartingLine {
 public:
  explicit StartingLine(size_t threads) : missing_(threads) {}

  void ArriveAndWait() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (--missing_ == 0) everyone_is_here_.notify_all();
    everyone_is_here_.wait(lock, [this] { return missing_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable everyone_is_here_;
  size_t missing_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_STARTING_LINE_H_
