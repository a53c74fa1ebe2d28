#include "util/data_volume.h"

#include "util/memory_limit.h"

namespace leveldb {

DataVolume* DataVolume::OfProcess() {
  static DataVolume* const volume = new DataVolume(&MemoryLimit);  // used until the process ends
  return volume;
}

void DataVolume::Share::Set(uint64_t bytes) {
  if (bytes != bytes_) volume_->Change(bytes_, bytes);
  bytes_ = bytes;
}

void DataVolume::Change(uint64_t from, uint64_t to) {
  const auto now = std::chrono::steady_clock::now();
  MutexLock lock(&mutex_);
  total_ += to - from;
  if (memory_bytes_ == 0 || now - asked_at_ >= std::chrono::seconds(1)) {
    memory_bytes_ = memory_();
    asked_at_ = now;
  }
  exceeds_.store(total_ > memory_bytes_ / 2, std::memory_order_relaxed);
}

}  // namespace leveldb
