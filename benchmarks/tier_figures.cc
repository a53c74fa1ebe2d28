#include "benchmarks/tier_figures.h"

#include <cstdlib>

namespace leveldb::bench {

namespace {

constexpr const char* kNames[] = {
    "pool-bytes",
    "pool-ceiling",
    "pool-used-bytes",
    "user-bytes",
    "log-bytes",
    "value-bytes",
    "flush-bytes",
    "merge-bytes",
    "sweep-bytes",
    "spill-bytes",
    "pm-bytes-per-user-byte",
    "ssd-bytes-per-user-byte",
    "dram-bytes",
    "trees-at-level0",
    "trees-at-level1",
    "trees-at-level2",
    "trees-at-level3",
    "value-extents",
    "value-live-bytes",
    "garbage-share",
    "full-waits",
    "fences",
    "flushed-lines",
};

}  // namespace

TierFigures ReadTierFigures(DB* db) {
  TierFigures figures;
  for (const char* name : kNames) {
    std::string text;
    if (!db->GetProperty(std::string("leveldb.pmem.") + name, &text)) continue;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str()) figures.emplace_back(name, value);
  }
  return figures;
}

}  // namespace leveldb::bench
