#include "port/fork_generation.h"

#include <pthread.h>

namespace leveldb {

namespace fork_generation_internal {
std::atomic<uint64_t> current{1};
}  // namespace fork_generation_internal

namespace {

void NoteFork() {
  fork_generation_internal::current.fetch_add(1, std::memory_order_relaxed);
}

// Runs when the program starts, or when the library is loaded.
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, &NoteFork);

}  // namespace

}  // namespace leveldb
