#include "benchmarks/report.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "benchmarks/json_writer.h"

namespace leveldb::bench {

namespace {

void AddMember(JsonWriter* json, const char* name, const std::string& value) {
  json->Key(name);
  json->String(value);
}

void AddMember(JsonWriter* json, const char* name, bool value) {
  json->Key(name);
  json->Bool(value);
}

template <typename Number>
void AddMember(JsonWriter* json, const char* name, Number value) {
  json->Key(name);
  json->Number(value);
}

void AddMachine(JsonWriter* json, const Machine& machine) {
  AddMember(json, "date", machine.date);
  json->Key("library");
  json->BeginObject();
  AddMember(json, "version", machine.library_version);
  AddMember(json, "file", machine.library_file);
  json->EndObject();
  json->Key("machine");
  json->BeginObject();
  AddMember(json, "cpu_model", machine.cpu_model);
  AddMember(json, "cpu_cores", machine.cpu_cores);
  AddMember(json, "cpu_cache", machine.cpu_cache);
  AddMember(json, "kernel", machine.kernel);
  json->EndObject();
}

void AddOptions(JsonWriter* json, const BenchOptions& options) {
  json->Key("options");
  json->BeginObject();
  json->Key("benchmarks");
  json->BeginArray();
  for (const std::string& name : options.benchmarks) json->String(name);
  json->EndArray();
  AddMember(json, "num", options.num);
  AddMember(json, "reads", options.ReadCount());
  AddMember(json, "threads", options.threads);
  AddMember(json, "value_size", options.value_size);
  AddMember(json, "compression_ratio", options.compression_ratio);
  AddMember(json, "histogram", options.histogram);
  AddMember(json, "write_buffer_size", options.write_buffer_size);
  AddMember(json, "max_file_size", options.max_file_size);
  AddMember(json, "block_size", options.block_size);
  AddMember(json, "cache_size", options.cache_size);
  AddMember(json, "open_files", options.open_files);
  AddMember(json, "bloom_bits", options.bloom_bits);
  AddMember(json, "key_prefix", options.key_prefix);
  AddMember(json, "use_existing_db", options.use_existing_db);
  AddMember(json, "reuse_logs", options.reuse_logs);
  AddMember(json, "compression", CompressionName(options.compression));
  AddMember(json, "comparisons", options.comparisons);
  AddMember(json, "db", options.db);
  AddMember(json, "seed", options.seed);
  AddMember(json, "verify", options.verify);
  json->EndObject();
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

void AddResult(JsonWriter* json, const BenchResult& result) {
  json->BeginObject();
  AddMember(json, "name", result.name);
  AddMember(json, "threads", result.threads);
  AddMember(json, "operations", result.operations);
  AddMember(json, "elapsed_seconds", result.elapsed_seconds);
  AddMember(json, "micros_per_operation", result.MicrosPerOperation());
  AddMember(json, "operations_per_second", result.OperationsPerSecond());
  AddMember(json, "bytes", result.bytes);
  AddMember(json, "megabytes_per_second", result.MegabytesPerSecond());
  if (result.found.has_value()) AddMember(json, "found", *result.found);
  if (result.writes_per_second.has_value()) {
    AddMember(json, "writes_per_second_beside", *result.writes_per_second);
  }
  if (result.comparisons.has_value()) AddMember(json, "comparisons", *result.comparisons);
  if (!result.message.empty()) AddMember(json, "message", result.message);
  if (!result.text.empty()) AddMember(json, "text", result.text);
  if (result.latency.has_value()) AddLatency(json, *result.latency);
  json->EndObject();
}

}  // namespace

std::string FormatReport(const Report& report) {
  JsonWriter json;
  json.BeginObject();
  AddMember(&json, "program", std::string("db_bench"));
  AddMachine(&json, report.machine);
  AddOptions(&json, report.options);
  json.Key("results");
  json.BeginArray();
  for (const BenchResult& result : report.results) AddResult(&json, result);
  json.EndArray();
  AddMember(&json, "peak_resident_bytes", report.peak_resident_bytes);
  AddMember(&json, "peak_anonymous_bytes", report.peak_anonymous_bytes);
  AddMember(&json, "failure", report.failure);
  json.EndObject();
  return json.text();
}

std::string WriteReport(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (file) return "";
  return "cannot write the report to " + path + ": " + std::strerror(errno);
}

}  // namespace leveldb::bench
