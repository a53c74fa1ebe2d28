#include "db/write/fence_timer.h"

#include <chrono>
#include <utility>

namespace leveldb {

namespace {

// Half of what is promised: the thread may get its turn late.
constexpr std::chrono::milliseconds kDelay{50};

}  // namespace

FenceTimer::FenceTimer(std::function<void()> fence)
    : fence_(std::move(fence)), changed_(&mutex_), thread_([this] { Run(); }) {}

FenceTimer::~FenceTimer() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.Signal();
  thread_.join();
}

void FenceTimer::Wake() {
  MutexLock lock(&mutex_);
  armed_.store(true, std::memory_order_relaxed);
  changed_.Signal();
}

void FenceTimer::Run() {
  while (true) {
    {
      MutexLock lock(&mutex_);
      while (!stopping_ && !armed_.load(std::memory_order_relaxed)) changed_.Wait();
      const auto end = std::chrono::steady_clock::now() + kDelay;
      for (auto now = end - kDelay; !stopping_ && now < end;
           now = std::chrono::steady_clock::now()) {
        changed_.WaitFor(std::chrono::duration_cast<std::chrono::microseconds>(end - now));
      }
      if (stopping_) return;
      armed_.store(false, std::memory_order_relaxed);
    }
    fence_();
  }
}

}  // namespace leveldb
