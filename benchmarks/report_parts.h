// What the reports of all benchmark programs have in common: docs/benchmarking.md explains the
// members.
#ifndef BUSHSTORE_BENCHMARKS_REPORT_PARTS_H_
#define BUSHSTORE_BENCHMARKS_REPORT_PARTS_H_

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/bench_result.h"
#include "benchmarks/json_writer.h"
#include "benchmarks/machine.h"
#include "benchmarks/throughput_meter.h"
#include "benchmarks/tier_metrics.h"
#include "util/histogram.h"

namespace leveldb::bench {

inline void AddMember(JsonWriter* json, const char* name, const std::string& value) {
  json->Key(name);
  json->String(value);
}

inline void AddMember(JsonWriter* json, const char* name, bool value) {
  json->Key(name);
  json->Bool(value);
}

template <typename Number>
void AddMember(JsonWriter* json, const char* name, Number value) {
  json->Key(name);
  json->Number(value);
}

// Null if it is not known.
template <typename Number>
void AddKnown(JsonWriter* json, const char* name, std::optional<Number> value) {
  if (value.has_value()) {
    AddMember(json, name, *value);
  } else {
    AddMember(json, name, std::nan(""));
  }
}

// The member "machine".
void AddMachine(JsonWriter* json, const Machine& machine);

// The member "library": the binding that a program used, and what stood behind it.
void AddLibrary(JsonWriter* json, const std::string& binding, const std::string& version,
                const std::string& file);

// The member "properties": each a number, true or false where its text is one.
void AddProperties(JsonWriter* json, const std::map<std::string, std::string>& properties);

// The members that tell how much was done, how fast, and what was found of it.
void AddSpeed(JsonWriter* json, const BenchResult& result);

// The member "latency_micros".
void AddLatency(JsonWriter* json, const Histogram& latency);

// The member "throughput".
void AddThroughput(JsonWriter* json, const std::vector<ThroughputSample>& samples);

// A member of that name: the figures as an object.
void AddMetrics(JsonWriter* json, const char* name, const TierMetrics& figures);

// Writes `text` to `path`. Returns what went wrong in words, or "" on success. An empty text tells
// whether the file can be written at all, before the benchmarks are run.
std::string WriteReport(const std::string& path, const std::string& text);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_REPORT_PARTS_H_
