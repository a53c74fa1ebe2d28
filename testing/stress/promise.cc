#include "testing/stress/promise.h"

#include <algorithm>

namespace leveldb {
namespace testkit {

void Promise::Opened(bool has_tier, bool fences, uint64_t unfenced_bytes) {
  const std::lock_guard<std::mutex> guard(mutex_);
  has_used_log_files_ |= !has_tier;
  fences_ = fences;
  unfenced_bytes_ = unfenced_bytes;
  opened_ = expected_->Returned();
}

void Promise::Settled() {
  const std::lock_guard<std::mutex> guard(mutex_);
  safe_ = expected_->Returned();
  has_used_log_files_ = false;
}

void Promise::Closed() {
  const std::lock_guard<std::mutex> guard(mutex_);
  unfenced_bytes_ = 0;
  Raise(SafeNow());
  fences_ = false;
}

void Promise::Synced(const Moment& moment) {
  const std::lock_guard<std::mutex> guard(mutex_);
  Raise(moment);
}

void Promise::Draining() {
  const std::lock_guard<std::mutex> guard(mutex_);
  Raise(SafeNow());
  fences_ = false;
  has_used_log_files_ = true;
}

Moment Promise::Safe() const {
  const std::lock_guard<std::mutex> guard(mutex_);
  return SafeNow();
}

bool Promise::HasUsedLogFiles() const {
  const std::lock_guard<std::mutex> guard(mutex_);
  return has_used_log_files_;
}

Moment Promise::SafeNow() const {
  if (!fences_) {
    return safe_;
  }
  Moment safe = expected_->Returned();
  for (uint32_t thread = 0; thread < expected_->threads(); ++thread) {
    // Only the newest of all operations may be missing, and so only the newest of each thread.
    uint64_t bytes = 0;
    while (safe[thread] > opened_[thread]) {
      // A failed operation does not push earlier ones out to the medium.
      const bool has_failed = expected_->HasFailed(thread, safe[thread]);
      bytes += has_failed ? 0 : expected_->BytesOf(thread, safe[thread]);
      if (bytes > unfenced_bytes_) {
        break;
      }
      --safe[thread];
    }
    // What came before this session is made safe only by the first write in it, not by the open.
    const bool is_new = safe[thread] > opened_[thread];
    safe[thread] = is_new ? safe[thread] : safe_[thread];
    safe[thread] = std::max(safe[thread], safe_[thread]);
  }
  return safe;
}

void Promise::Raise(const Moment& moment) {
  for (uint32_t thread = 0; thread < expected_->threads(); ++thread) {
    safe_[thread] = std::max(safe_[thread], moment[thread]);
  }
}

}  // namespace testkit
}  // namespace leveldb
