// Tells a process that was forked from the one it descends from.
#ifndef BUSHSTORE_PORT_FORK_GENERATION_H_
#define BUSHSTORE_PORT_FORK_GENERATION_H_

#include <cstdint>

namespace leveldb {

// A number that is different in a forked child. What was noted before fork() and is not equal any
// more belongs to another process. Cheap; any thread.
uint64_t ForkGeneration();

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_FORK_GENERATION_H_
