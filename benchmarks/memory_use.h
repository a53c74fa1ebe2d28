// Functions that tell how much memory the process takes.
#ifndef BUSHSTORE_BENCHMARKS_MEMORY_USE_H_
#define BUSHSTORE_BENCHMARKS_MEMORY_USE_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace leveldb::bench {

// Returns the process's peak resident memory, mapped table files included.
uint64_t PeakResidentBytes();

// Returns the process's current resident anonymous memory: heap, stacks.
uint64_t AnonymousBytes();

// AnonymousPeak is the peak of AnonymousBytes(), which the system does not record: it samples from
// construction on.
class AnonymousPeak {
 public:
  AnonymousPeak();
  ~AnonymousPeak();

  AnonymousPeak(const AnonymousPeak&) = delete;
  AnonymousPeak& operator=(const AnonymousPeak&) = delete;

  // Returns the peak so far. Thread-safe.
  uint64_t bytes();

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  uint64_t peak_ = 0;
  std::thread thread_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_MEMORY_USE_H_
