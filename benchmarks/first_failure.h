// FirstFailure records the first failure of a run, shared by all its threads.
#ifndef BUSHSTORE_BENCHMARKS_FIRST_FAILURE_H_
#define BUSHSTORE_BENCHMARKS_FIRST_FAILURE_H_

#include <atomic>
#include <mutex>
#include <string>

namespace leveldb::bench {

// Code is the enumeration of a program's exit codes, with kSuccess among them. Thread-safe.
template <typename Code>
class FirstFailure {
 public:
  // Records a failure, as a sentence without a full stop. Only the first call has an effect.
  void Report(Code code, const std::string& sentence) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (happened_.load(std::memory_order_relaxed)) return;
    code_ = code;
    sentence_ = sentence;
    happened_.store(true, std::memory_order_release);
  }

  // Returns whether there was a failure. Cheap enough to call before every operation.
  bool happened() const { return happened_.load(std::memory_order_relaxed); }

  Code code() const {
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
  Code code_ = Code::kSuccess;
  std::string sentence_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_FIRST_FAILURE_H_
