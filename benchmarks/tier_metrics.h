// TierMetrics are the figures that the library keeps of a database's tier, for the report.
#ifndef BUSHSTORE_BENCHMARKS_TIER_METRICS_H_
#define BUSHSTORE_BENCHMARKS_TIER_METRICS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/db.h"

namespace leveldb::bench {

// Pairs of a name, as in the property leveldb.pmem.NAME, and a value.
using TierMetrics = std::vector<std::pair<std::string, double>>;

// Returns the lines "NAME NUMBER" of the property leveldb.pmem; other lines are not metrics.
TierMetrics ParseTierMetrics(const std::string& text);

// Returns the bytes written to the pool since the database was opened, for any purpose; 0 without a
// tier.
uint64_t PoolBytesWritten(const TierMetrics& metrics);

// Returns the current metrics of the database; empty if it has no tier.
TierMetrics ReadTierMetrics(DB* db);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_TIER_METRICS_H_
