// Text that the headers of all benchmark programs share.
#ifndef BUSHSTORE_BENCHMARKS_HEADER_PARTS_H_
#define BUSHSTORE_BENCHMARKS_HEADER_PARTS_H_

#include <cstdint>
#include <string>

namespace leveldb::bench {

// Returns lines about a build that measures too slowly; "" for a suitable one.
std::string BuildWarnings(const std::string& program);

// Returns which writes to a pool survive which failures. `medium` as in PmemDeviceInfo,
// `wal_persist_bytes` as in PmemOptions.
std::string PersistenceWords(const std::string& medium, uint64_t wal_persist_bytes);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_HEADER_PARTS_H_
