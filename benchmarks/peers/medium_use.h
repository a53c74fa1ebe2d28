// What a store has written to its medium, and what it takes there.
#ifndef BUSHSTORE_BENCHMARKS_PEERS_MEDIUM_USE_H_
#define BUSHSTORE_BENCHMARKS_PEERS_MEDIUM_USE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "ycsbc/store.h"

namespace leveldb::peers {

// Bytes that this process has handed to the system by write calls, whatever the medium: the account
// of what reached a block device (write_bytes) knows nothing of tmpfs. Nothing where the system
// does not tell.
std::optional<uint64_t> WriteCallBytes();

// That, and what `store` (which may be null) has written to a mapped pool since it was opened.
std::optional<uint64_t> WrittenBytes(ycsbc::Store* store);

// Waits until nothing has been written for `quiet_millis`: what a store still has to do after a
// write is of its cost, and must not slow down what is measured next. Returns the seconds until the
// last write.
double WaitForRest(ycsbc::Store* store, uint64_t quiet_millis);

// Waits until what has been written to the file system of `path` is on its device, so that reads do
// not share the device with it. Does nothing if there is no such directory.
void SyncFileSystem(const std::string& path);

// Bytes that the files under `path` take, as du counts.
uint64_t SpaceUsed(const std::string& path);

}  // namespace leveldb::peers

#endif  // BUSHSTORE_BENCHMARKS_PEERS_MEDIUM_USE_H_
