// Functions that tell how much a store has written to its medium, and how much space it takes
// there.
#ifndef BUSHSTORE_BENCHMARKS_PEERS_MEDIUM_USE_H_
#define BUSHSTORE_BENCHMARKS_PEERS_MEDIUM_USE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "ycsbc/store.h"

namespace leveldb::peers {

// Returns the bytes that this process has handed to the system by write calls, whatever the medium:
// the count of bytes that reached a block device (write_bytes) does not include tmpfs. Returns
// nothing if the system does not report it.
std::optional<uint64_t> WriteCallBytes();

// Returns WriteCallBytes plus what `store` (which may be null) has written to a mapped pool since
// it was opened.
std::optional<uint64_t> WrittenBytes(ycsbc::Store* store);

// Waits until nothing has been written for `quiet_millis`: the background work of a store after a
// write is part of its cost, and must not slow down the next measurement. Returns the seconds until
// the last write.
double WaitForRest(ycsbc::Store* store, uint64_t quiet_millis);

// Waits until data written to the file system of `path` is on its device, so that reads do not
// share the device with writes. Does nothing if the directory does not exist.
void SyncFileSystem(const std::string& path);

// Returns the space of the files under `path`, in bytes, as du counts it.
uint64_t SpaceUsed(const std::string& path);

}  // namespace leveldb::peers

#endif  // BUSHSTORE_BENCHMARKS_PEERS_MEDIUM_USE_H_
