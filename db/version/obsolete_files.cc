#include "db/version/obsolete_files.h"

namespace leveldb {

void ObsoleteFiles::Add(uint64_t number) {
  MutexLock lock(&mutex_);
  numbers_.push_back(number);
  count_.store(numbers_.size(), std::memory_order_release);
}

std::vector<uint64_t> ObsoleteFiles::TakeAll() {
  MutexLock lock(&mutex_);
  std::vector<uint64_t> taken;
  taken.swap(numbers_);
  count_.store(0, std::memory_order_release);
  return taken;
}

}  // namespace leveldb
