// The figures that the library keeps of a database's tier, for the report.
#ifndef BUSHSTORE_BENCHMARKS_TIER_METRICS_H_
#define BUSHSTORE_BENCHMARKS_TIER_METRICS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/db.h"

namespace leveldb::bench {

// Names, as in the property leveldb.pmem.NAME, and values.
using TierMetrics = std::vector<std::pair<std::string, double>>;

// Takes the lines "NAME NUMBER" out of the property leveldb.pmem; what looks otherwise is for
// people.
TierMetrics ParseTierMetrics(const std::string& text);

// Bytes written to the pool since the database was opened, whatever for; 0 without a tier.
uint64_t PoolBytesWritten(const TierMetrics& metrics);

// What the database says now; empty if it has no tier.
TierMetrics ReadTierMetrics(DB* db);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_TIER_METRICS_H_
