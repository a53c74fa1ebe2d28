#include "port/fork_generation.h"

#include <pthread.h>

#include <atomic>

namespace leveldb {

namespace {

std::atomic<uint64_t> generation{1};

void NoteFork() {
  generation.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

uint64_t ForkGeneration() {
  static const int registered = pthread_atfork(nullptr, nullptr, &NoteFork);
  static_cast<void>(registered);
  return generation.load(std::memory_order_relaxed);
}

}  // namespace leveldb
