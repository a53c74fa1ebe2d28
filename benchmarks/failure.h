// The first thing that went wrong in a run, shared by all its threads.
#ifndef BUSHSTORE_BENCHMARKS_FAILURE_H_
#define BUSHSTORE_BENCHMARKS_FAILURE_H_

#include <atomic>
#include <mutex>
#include <string>

namespace leveldb::bench {

// Exit codes of db_bench.
enum class ExitCode : int {
  kSuccess = 0,
  kCannotRun = 1,  // options that make no sense, or an error that the store reported
  kWrongData = 2,  // the store gave a wrong value, lost a key or made one up
};

// Thread-safe.
class Failure {
 public:
  // Notes what went wrong, as a sentence without a full stop. Only the first call counts.
  void Report(ExitCode code, const std::string& sentence) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (happened_.load(std::memory_order_relaxed)) return;
    code_ = code;
    sentence_ = sentence;
    happened_.store(true, std::memory_order_release);
  }

  // Cheap enough to ask before every operation.
  bool happened() const { return happened_.load(std::memory_order_relaxed); }

  ExitCode code() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return code_;
  }

  std::string sentence() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return sentence_;
  }

 private:
  mutable std::mutex mutex_;
  std::atomic<bool> happened_{false};
  ExitCode code_ = ExitCode::kSuccess;
  std::string sentence_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_FAILURE_H_
