#include "benchmarks/report.h"

#include "benchmarks/json_writer.h"
#include "benchmarks/report_parts.h"

namespace leveldb::bench {

namespace {

void AddLibrary(JsonWriter* json, const Machine& machine) {
  AddMember(json, "date", machine.date);
  json->Key("library");
  json->BeginObject();
  AddMember(json, "version", machine.library_version);
  AddMember(json, "file", machine.library_file);
  json->EndObject();
}

void AddTierOptions(JsonWriter* json, const TierOptions& tier) {
  const PmemOptions& pmem = tier.pmem;
  AddMember(json, "use_pm", tier.use_pm);
  AddMember(json, "pm_path", pmem.path);
  AddMember(json, "pm_size", pmem.size);
  AddMember(json, "pm_prefault", pmem.prefault);
  AddMember(json, "wal_persist_bytes", pmem.wal_persist_bytes);
  AddMember(json, "value_separation_bytes", pmem.value_separation_bytes);
  AddMember(json, "gc_ratio", pmem.gc_ratio);
  AddMember(json, "dynamic_tree", pmem.dynamic_tree);
  AddMember(json, "flush_ssd", pmem.spill);
  AddMember(json, "spill_start", pmem.spill_start);
  AddMember(json, "spill_stop", pmem.spill_stop);
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
  AddMember(json, "throughput", options.throughput);
  AddMember(json, "control_thread", options.control_thread);
  AddMember(json, "pace", options.pace);
  AddMember(json, "write_batch", options.write_batch);
  AddTierOptions(json, options.tier);
  json->EndObject();
}

void AddPaced(JsonWriter* json, const PacedTime::Result& paced) {
  json->Key("paced");
  json->BeginObject();
  AddMember(json, "pace_nanos", paced.pace_nanos);
  AddMember(json, "micros_per_operation", paced.micros_per_operation);
  AddMember(json, "share", paced.share);
  json->EndObject();
}

void AddResult(JsonWriter* json, const BenchResult& result) {
  json->BeginObject();
  AddMember(json, "name", result.name);
  AddMember(json, "threads", result.threads);
  AddSpeed(json, result);
  if (result.writes_per_second.has_value()) {
    AddMember(json, "writes_per_second_beside", *result.writes_per_second);
  }
  if (result.comparisons.has_value()) AddMember(json, "comparisons", *result.comparisons);
  if (!result.message.empty()) AddMember(json, "message", result.message);
  if (!result.text.empty()) AddMember(json, "text", result.text);
  if (result.latency.has_value()) AddLatency(json, *result.latency);
  if (result.control_pause_micros.has_value()) {
    AddMember(json, "control_pause_micros", *result.control_pause_micros);
  }
  if (result.control_rare_pause_micros.has_value()) {
    AddMember(json, "control_rare_pause_micros", *result.control_rare_pause_micros);
  }
  if (result.paced.has_value()) AddPaced(json, *result.paced);
  if (!result.throughput.empty()) AddThroughput(json, result.throughput);
  if (!result.tier.empty()) AddMetrics(json, "pmem", result.tier);
  json->EndObject();
}

}  // namespace

std::string FormatReport(const Report& report) {
  JsonWriter json;
  json.BeginObject();
  AddMember(&json, "program", std::string("db_bench"));
  AddLibrary(&json, report.machine);
  AddMachine(&json, report.machine);
  AddOptions(&json, report.options);
  if (!report.device.empty()) AddMember(&json, "device", report.device);
  if (!report.medium.empty()) AddMember(&json, "medium", report.medium);
  AddMember(&json, "open_seconds", report.open_seconds);
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

}  // namespace leveldb::bench
