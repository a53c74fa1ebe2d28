// What the headers of all benchmark programs say in the same words.
#ifndef BUSHSTORE_BENCHMARKS_HEADER_PARTS_H_
#define BUSHSTORE_BENCHMARKS_HEADER_PARTS_H_

#include <cstdint>
#include <string>

namespace leveldb::bench {

// Lines about a build that measures too slowly; "" for one that measures well.
std::string BuildWarnings(const std::string& program);

// What of the writes to a pool survives what. `medium` as in PmemDeviceInfo, `wal_persist_bytes` as
// in PmemOptions.
std::string PersistenceWords(const std::string& medium, uint64_t wal_persist_bytes);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_HEADER_PARTS_H_
