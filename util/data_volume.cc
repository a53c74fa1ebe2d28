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
  const uint64_t asked = NeedsMemory() ? memory_() : 0;  // reads files, so not under the mutex
  MutexLock lock(&mutex_);
  if (asked != 0) memory_bytes_ = asked;
  total_ += to - from;
  exceeds_.store(total_ > memory_bytes_ / 2, std::memory_order_relaxed);
}

bool DataVolume::NeedsMemory() {
  const auto now = std::chrono::steady_clock::now();
  MutexLock lock(&mutex_);
  if (memory_bytes_ != 0 && now - asked_at_ < std::chrono::seconds(1)) return false;
  asked_at_ = now;
  return true;
}

}  // namespace leveldb
