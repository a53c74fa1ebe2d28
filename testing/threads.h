// Threads: a few threads that are joined when the object is destroyed.

#ifndef BUSHSTORE_TESTING_THREADS_H_
#define BUSHSTORE_TESTING_THREADS_H_

#include <atomic>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace leveldb {
namespace testkit {

class Threads {
 public:
  Threads() = default;
  ~Threads() { Join(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  // Runs `work` once, in a thread of its own.
  void Run(std::function<void()> work) { workers_.emplace_back(std::move(work)); }

  // Runs `step` repeatedly, in a thread of its own, until all workers are done.
  void Repeat(std::function<void()> step) {
    repeaters_.emplace_back([this, step = std::move(step)] {
      while (!done_) {
        step();
      }
    });
  }

  // Waits for the workers, then stops the repeaters.
  void Join() {
    JoinAll(&workers_);
    done_ = true;
    JoinAll(&repeaters_);
  }

 private:
  static void JoinAll(std::vector<std::thread>* threads) {
    for (std::thread& thread : *threads) {
      thread.join();
    }
    threads->clear();
  }

  std::atomic<bool> done_{false};
  std::vector<std::thread> workers_;
  std::vector<std::thread> repeaters_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_THREADS_H_
