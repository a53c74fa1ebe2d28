#include "benchmarks/report_parts.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace leveldb::bench {

namespace {

// Adds a number, true or false if the text is one, otherwise a string.
void AddValue(JsonWriter* json, const std::string& name, const std::string& text) {
  json->Key(name);
  if (text == "true" || text == "false") {
    json->Bool(text == "true");
    return;
  }
  char* end = nullptr;
  const bool is_whole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (is_whole) {
    json->Number(uint64_t{std::strtoull(text.c_str(), nullptr, 10)});
    return;
  }
  const double number = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') {
    json->Number(number);
  } else {
    json->String(text);
  }
}

}  // namespace

void AddMachine(JsonWriter* json, const Machine& machine) {
  json->Key("machine");
  json->BeginObject();
  AddMember(json, "cpu_model", machine.cpu_model);
  AddMember(json, "cpu_cores", machine.cpu_cores);
  AddMember(json, "cpu_cache", machine.cpu_cache);
  AddMember(json, "kernel", machine.kernel);
  json->EndObject();
}

void AddLibrary(JsonWriter* json, const std::string& binding, const std::string& version,
                const std::string& file) {
  json->Key("library");
  json->BeginObject();
  AddMember(json, "binding", binding);
  AddMember(json, "version", version);
  AddMember(json, "file", file);
  json->EndObject();
}

void AddProperties(JsonWriter* json, const std::map<std::string, std::string>& properties) {
  json->Key("properties");
  json->BeginObject();
  for (const auto& [name, text] : properties) AddValue(json, name, text);
  json->EndObject();
}

void AddSpeed(JsonWriter* json, const BenchResult& result) {
  AddMember(json, "operations", result.operations);
  AddMember(json, "elapsed_seconds", result.elapsed_seconds);
  AddMember(json, "micros_per_operation", result.MicrosPerOperation());
  AddMember(json, "operations_per_second", result.OperationsPerSecond());
  AddMember(json, "bytes", result.bytes);
  AddMember(json, "megabytes_per_second", result.MegabytesPerSecond());
  if (result.found.has_value()) AddMember(json, "found", *result.found);
}

void AddLatency(JsonWriter* json, const Histogram& latency) {
  json->Key("latency_micros");
  json->BeginObject();
  AddMember(json, "count", latency.Count());
  AddMember(json, "average", latency.Average());
  AddMember(json, "deviation", latency.StdDev());
  AddMember(json, "min", latency.Min());
  AddMember(json, "p50", latency.Percentile(50));
  AddMember(json, "p95", latency.Percentile(95));
  AddMember(json, "p99", latency.Percentile(99));
  AddMember(json, "p99.9", latency.Percentile(99.9));
  AddMember(json, "p99.99", latency.Percentile(99.99));
  AddMember(json, "max", latency.Max());
  json->EndObject();
}

void AddThroughput(JsonWriter* json, const std::vector<ThroughputSample>& samples) {
  json->Key("throughput");
  json->BeginArray();
  for (const ThroughputSample& sample : samples) {
    json->BeginObject();
    AddMember(json, "end_seconds", sample.end_seconds);
    AddMember(json, "operations_per_second", sample.operations_per_second);
    AddMember(json, "megabytes_per_second", sample.megabytes_per_second);
    AddMember(json, "longest_pause_millis", sample.longest_pause_millis);
    json->EndObject();
  }
  json->EndArray();
}

void AddMetrics(JsonWriter* json, const char* name, const TierMetrics& figures) {
  json->Key(name);
  json->BeginObject();
  for (const auto& [figure, value] : figures) {
    const auto whole = static_cast<uint64_t>(value);
    if (static_cast<double>(whole) == value) {
      AddMember(json, figure.c_str(), whole);
    } else {
      AddMember(json, figure.c_str(), value);
    }
  }
  json->EndObject();
}

std::string WriteReport(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (file) return "";
  return "cannot write the report to " + path + ": " + std::strerror(errno);
}

}  // namespace leveldb::bench
