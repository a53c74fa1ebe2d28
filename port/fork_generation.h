// ForkGeneration distinguishes a forked process from its ancestors.
#ifndef BUSHSTORE_PORT_FORK_GENERATION_H_
#define BUSHSTORE_PORT_FORK_GENERATION_H_

#include <atomic>
#include <cstdint>

namespace leveldb {

namespace fork_generation_internal {
extern std::atomic<uint64_t> current;
}  // namespace fork_generation_internal

// Returns a number that is different in a forked child. A value noted before fork() that is no
// longer equal belongs to another process. Cheap; safe from any thread.
inline uint64_t ForkGeneration() {
  return fork_generation_internal::current.load(std::memory_order_relaxed);
}

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_FORK_GENERATION_H_
