// The common parts of the reports of all benchmark programs; docs/benchmarking.md explains the
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

// Adds the number, or null if it is not known.
template <typename Number>
void AddKnown(JsonWriter* json, const char* name, std::optional<Number> value) {
  if (value.has_value()) {
    AddMember(json, name, *value);
  } else {
    AddMember(json, name, std::nan(""));
  }
}

// Adds the member "machine".
void AddMachine(JsonWriter* json, const Machine& machine);

// Adds the member "library": the binding of a program, and the library that it used.
void AddLibrary(JsonWriter* json, const std::string& binding, const std::string& version,
                const std::string& file);

// Adds the member "properties": each a number, true or false if its text is one.
void AddProperties(JsonWriter* json, const std::map<std::string, std::string>& properties);

// Adds the members that tell how much was done, how fast, and how much of it was found.
void AddSpeed(JsonWriter* json, const BenchResult& result);

// Adds the member "latency_micros".
void AddLatency(JsonWriter* json, const Histogram& latency);

// Adds the member "throughput".
void AddThroughput(JsonWriter* json, const std::vector<ThroughputSample>& samples);

// Adds a member of that name: the figures as an object.
void AddMetrics(JsonWriter* json, const char* name, const TierMetrics& figures);

// Writes `text` to `path`. Returns an error as text, or "" on success. An empty text tests whether
// the file can be written at all, before the benchmarks are run.
std::string WriteReport(const std::string& path, const std::string& text);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_REPORT_PARTS_H_
