#include "ycsbc/ycsb_report.h"

#include <cstdarg>
#include <cstdio>

#include "benchmarks/header_parts.h"
#include "benchmarks/json_writer.h"
#include "benchmarks/report_parts.h"
#include "benchmarks/tier_options.h"

namespace leveldb::ycsbc {

namespace {

using bench::AddMember;

__attribute__((format(printf, 1, 2))) std::string Format(const char* format, ...) {
  char text[500];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return text;
}

unsigned long long Whole(uint64_t number) {
  return number;
}

std::string Property(const RunOptions& options, const std::string& name) {
  const auto found = options.properties.find(name);
  return found == options.properties.end() ? "" : found->second;
}

std::string StoreWords(const RunOptions& options) {
  std::string words;
  for (const auto& [name, value] : options.properties) {
    const std::string prefix = options.binding + ".";
    if (name.rfind(prefix, 0) == 0) words += " " + name.substr(prefix.size()) + "=" + value;
  }
  return words;
}

std::string PoolLines(const YcsbReport& report) {
  const RunOptions& options = report.options;
  if (!options.store.leveldb.use_pm) return "";
  const PmemOptions& pmem = options.store.leveldb.pmem;
  return "Pool:       " + pmem.path + "\nDevice:     " + report.device +
         "\nPersistent: " + bench::PersistenceWords(report.medium, pmem.wal_persist_bytes) + "\n";
}

std::string RecordWords(const RunOptions& options) {
  const CoreWorkload& workload = options.workload;
  const bool is_constant = workload.field_length_distribution == Distribution::kConstant;
  const std::string lengths =
      is_constant ? "" : Property(options, "field_len_dist") + " lengths up to ";
  return Format("%llu, of %llu fields of %s%llu bytes; keys %s", Whole(workload.record_count),
                Whole(workload.field_count), lengths.c_str(), Whole(workload.field_length),
                Property(options, "insertorder").c_str());
}

std::string MixWords(const RunOptions& options) {
  const CoreWorkload& workload = options.workload;
  std::string words = std::to_string(workload.operation_count);
  for (size_t i = 0; i < kOperations; ++i) {
    if (workload.proportions[i] == 0) continue;
    words += Format(", %g%% %s", 100 * workload.proportions[i],
                    OperationName(static_cast<Operation>(i)));
  }
  words += "; " + Property(options, "requestdistribution") + " requests";
  if (workload.request_distribution != Distribution::kUniform) {
    words += ", theta " + Property(options, "zipfianvalue");
  }
  return words;
}

std::string LatencyColumns(const Histogram& latency) {
  return Format(" %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f", latency.Average(),
                latency.Percentile(50), latency.Percentile(95), latency.Percentile(99),
                latency.Percentile(99.9), latency.Percentile(99.99), latency.Max());
}

void AddOptions(bench::JsonWriter* json, const RunOptions& options) {
  json->Key("options");
  json->BeginObject();
  AddMember(json, "db", options.binding);
  AddMember(json, "dbpath", options.store.path);
  AddMember(json, "pmpath", options.store.leveldb.pmem.path);
  AddMember(json, "load", options.load);
  AddMember(json, "run", options.run);
  AddMember(json, "check", options.check);
  AddMember(json, "threads", options.threads);
  AddMember(json, "latency", options.latency);
  AddMember(json, "timeseries", options.time_series);
  AddMember(json, "dbstatistics", options.statistics);
  AddMember(json, "seed", options.seed);
  json->EndObject();
  bench::AddProperties(json, options.properties);
}

void AddPhase(bench::JsonWriter* json, const PhaseResult& phase) {
  json->BeginObject();
  AddMember(json, "name", phase.name);
  AddMember(json, "threads", phase.threads);
  AddMember(json, "open_seconds", phase.open_seconds);
  AddMember(json, "operations", phase.operations);
  AddMember(json, "elapsed_seconds", phase.elapsed_seconds);
  AddMember(json, "operations_per_second", phase.OperationsPerSecond());
  AddMember(json, "bytes", phase.bytes);
  AddMember(json, "megabytes_per_second", phase.MegabytesPerSecond());
  AddMember(json, "scanned_records", phase.scanned_records);
  AddMember(json, "waits_for_same_record", phase.waits);
  bench::AddKnown(json, "device_read_bytes", phase.device.bytes);
  bench::AddKnown(json, "device_reads", phase.device.reads);
  json->Key("by_operation");
  json->BeginArray();
  for (size_t i = 0; i < kOperations; ++i) {
    const OperationResult& result = phase.by_operation[i];
    if (result.operations == 0) continue;
    json->BeginObject();
    AddMember(json, "name", std::string(OperationName(static_cast<Operation>(i))));
    AddMember(json, "operations", result.operations);
    if (result.latency.has_value()) bench::AddLatency(json, *result.latency);
    json->EndObject();
  }
  json->EndArray();
  if (!phase.throughput.empty()) bench::AddThroughput(json, phase.throughput);
  if (!phase.figures.empty()) bench::AddMetrics(json, "pmem", phase.figures);
  if (!phase.statistics.empty()) AddMember(json, "statistics", phase.statistics);
  json->EndObject();
}

}  // namespace

std::string FormatHeader(const YcsbReport& report) {
  const RunOptions& options = report.options;
  std::string text;
  text += "Store:      " + options.binding + " " + report.library_version + ", " +
          report.library_file + "\n";
  text += "Date:       " + report.machine.date + "\n";
  text += "CPU:        " + std::to_string(report.machine.cpu_cores) + " * " +
          report.machine.cpu_model + "\n";
  text += "CPUCache:   " + report.machine.cpu_cache + "\n";
  text += "Directory:  " + options.store.path + "\n";
  text += "Options:   " + StoreWords(options) + "\n";
  text += PoolLines(report);
  text += "Records:    " + RecordWords(options) + "\n";
  if (options.run) text += "Operations: " + MixWords(options) + "\n";
  text += std::string("Verify:     every read") +
          (report.knows_versions ? ""
                                 : "; versions from their first sight on, as no complete "
                                   "ycsbc.records is in the directory") +
          "\n";
  return text + bench::BuildWarnings("ycsbc") + std::string(48, '-') + "\n";
}

std::string FormatPhase(const PhaseResult& result) {
  std::string text =
      Format("%-12s : %11.0f ops/s; %6.1f MB/s; %llu operations in %.3f s, %d thread%s\n",
             result.name.c_str(), result.OperationsPerSecond(), result.MegabytesPerSecond(),
             Whole(result.operations), result.elapsed_seconds, result.threads,
             result.threads == 1 ? "" : "s");
  bool has_latency = false;
  for (const OperationResult& own : result.by_operation) has_latency |= own.latency.has_value();
  if (has_latency) {
    text += Format("  %-18s %12s %9s %9s %9s %9s %9s %9s %9s\n", "microseconds", "count", "avg",
                   "p50", "p95", "p99", "p99.9", "p99.99", "max");
  }
  for (size_t i = 0; i < kOperations; ++i) {
    const OperationResult& own = result.by_operation[i];
    if (own.operations == 0) continue;
    text +=
        Format("  %-18s %12llu", OperationName(static_cast<Operation>(i)), Whole(own.operations));
    if (own.latency.has_value()) text += LatencyColumns(*own.latency);
    text += "\n";
  }
  if (result.scanned_records > 0) {
    text += Format("  %-18s %12llu\n", "records scanned", Whole(result.scanned_records));
  }
  if (!result.statistics.empty()) text += result.statistics + "\n";
  return text;
}

std::string FormatReport(const YcsbReport& report) {
  bench::JsonWriter json;
  json.BeginObject();
  AddMember(&json, "program", std::string("ycsbc"));
  AddMember(&json, "date", report.machine.date);
  bench::AddLibrary(&json, report.options.binding, report.library_version, report.library_file);
  bench::AddMachine(&json, report.machine);
  AddOptions(&json, report.options);
  if (!report.device.empty()) AddMember(&json, "device", report.device);
  if (!report.medium.empty()) AddMember(&json, "medium", report.medium);
  AddMember(&json, "knows_versions", report.knows_versions);
  json.Key("phases");
  json.BeginArray();
  for (const PhaseResult& phase : report.phases) AddPhase(&json, phase);
  json.EndArray();
  AddMember(&json, "peak_resident_bytes", report.peak_resident_bytes);
  AddMember(&json, "peak_anonymous_bytes", report.peak_anonymous_bytes);
  AddMember(&json, "ledger_bytes", report.ledger_bytes);
  AddMember(&json, "failure", report.failure);
  json.EndObject();
  return json.text();
}

}  // namespace leveldb::ycsbc
