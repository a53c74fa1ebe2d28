// Tells a process that was forked from the one it descends from.
#ifndef BUSHSTORE_PORT_FORK_GENERATION_H_
#define BUSHSTORE_PORT_FORK_GENERATION_H_

#include <atomic>
#include <cstdint>

namespace leveldb {

namespace fork_generation_internal {
extern std::atomic<uint64_t> current;
}  // namespace fork_generation_internal

// A number that is different in a forked child. What was noted before fork() and is not equal any
// more belongs to another process. Cheap; any thread.
inline uint64_t ForkGeneration() {
  return fork_generation_internal::current.load(std::memory_order_relaxed);
}

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_FORK_GENERATION_H_
