#include "util/delayed_call.h"

#include <utility>

namespace leveldb {

DelayedCall::DelayedCall(std::chrono::milliseconds delay, std::function<void()> call)
    : delay_(delay), call_(std::move(call)), changed_(&mutex_), thread_([this] { Run(); }) {}

DelayedCall::~DelayedCall() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.Signal();
  thread_.join();
}

void DelayedCall::Wake() {
  MutexLock lock(&mutex_);
  armed_.store(true, std::memory_order_relaxed);
  changed_.Signal();
}

void DelayedCall::Run() {
  while (true) {
    {
      MutexLock lock(&mutex_);
      while (!stopping_ && !armed_.load(std::memory_order_relaxed)) changed_.Wait();
      const auto end = std::chrono::steady_clock::now() + delay_;
      for (auto now = end - delay_; !stopping_ && now < end;
           now = std::chrono::steady_clock::now()) {
        changed_.WaitFor(std::chrono::duration_cast<std::chrono::microseconds>(end - now));
      }
      if (stopping_) return;
      armed_.store(false, std::memory_order_relaxed);
    }
    call_();
  }
}

}  // namespace leveldb
