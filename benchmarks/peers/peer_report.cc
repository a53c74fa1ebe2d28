#include "benchmarks/peers/peer_report.h"

#include <cmath>
#include <cstdio>

#include "benchmarks/header_parts.h"
#include "benchmarks/json_writer.h"
#include "benchmarks/report_parts.h"
#include "benchmarks/tier_options.h"

namespace leveldb::peers {

namespace {

using bench::AddMember;
using bench::JsonWriter;

// Returns the ratio, or NaN, which becomes null.
double Ratio(std::optional<uint64_t> bytes, uint64_t to) {
  if (!bytes.has_value() || to == 0) return std::nan("");
  return static_cast<double>(*bytes) / static_cast<double>(to);
}

void AddOptions(JsonWriter* json, const PeerReport& report) {
  const PeerOptions& options = report.options;
  json->Key("options");
  json->BeginObject();
  AddMember(json, "path", options.store.path);
  AddMember(json, "pm_path", options.store.leveldb.pmem.path);
  AddMember(json, "num", options.num);
  AddMember(json, "reads", options.reads);
  AddMember(json, "seeks", options.seeks);
  AddMember(json, "value_size", options.value_size);
  AddMember(json, "seed", options.seed);
  AddMember(json, "rest_millis", options.rest_millis);
  AddMember(json, "max_seconds", options.max_seconds);
  AddMember(json, "max_fill_seconds", options.max_fill_seconds);
  AddMember(json, "settle", options.settle);
  json->EndObject();
  bench::AddProperties(json, options.properties);
}

void AddResult(JsonWriter* json, const PeerResult& result) {
  const bench::BenchResult& figures = result.figures;
  json->BeginObject();
  AddMember(json, "name", figures.name);
  bench::AddSpeed(json, figures);
  if (result.rest_seconds.has_value()) {
    AddMember(json, "rest_seconds", *result.rest_seconds);
    bench::AddKnown(json, "written_bytes", result.written_bytes);
  }
  bench::AddKnown(json, "device_read_bytes", result.device.bytes);
  bench::AddKnown(json, "device_reads", result.device.reads);
  AddMember(json, "operations_a_latency", result.latency_count);
  AddMember(json, "timed_one_in", result.timed_one_in);
  bench::AddLatency(json, *figures.latency);
  json->EndObject();
}

}  // namespace

std::string FormatHeader(const PeerReport& report) {
  const PeerOptions& options = report.options;
  std::string text = bench::BuildWarnings("peer_bench");
  text += "Store:  " + options.binding + " " + report.library_version + ", " + report.library_file +
          "\n";
  if (options.store.leveldb.use_pm) text += "Device: " + report.device + "\n";
  text += "Keys:   16 bytes each, " + std::to_string(options.num) + "; values of " +
          std::to_string(options.value_size) + " bytes\n";
  return text;
}

std::string FormatResult(const PeerResult& result) {
  char line[200];
  const Histogram& latency = *result.figures.latency;
  std::snprintf(line, sizeof(line),
                "%-18s: %11.3f micros/op; %10.0f ops/s; p50 %.2f p99 %.2f p99.9 %.2f max %.0f\n",
                result.figures.name.c_str(), result.figures.MicrosPerOperation(),
                result.figures.OperationsPerSecond(), latency.Percentile(50),
                latency.Percentile(99), latency.Percentile(99.9), latency.Max());
  return line;
}

std::string FormatUse(const PeerReport& report) {
  char written[40] = "not known";
  if (report.written_bytes.has_value()) {
    std::snprintf(written, sizeof(written), "%.2f", Ratio(report.written_bytes, report.user_bytes));
  }
  return "Bytes written a user byte: " + std::string(written) +
         "\nSpace used: " + bench::FormatSize(report.space_bytes) + " for " +
         bench::FormatSize(report.live_bytes) +
         "\nPeak memory: " + bench::FormatSize(report.peak_resident_bytes) + ", without files " +
         bench::FormatSize(report.peak_anonymous_bytes) + "\n";
}

std::string FormatReport(const PeerReport& report) {
  JsonWriter json;
  json.BeginObject();
  AddMember(&json, "program", std::string("peer_bench"));
  AddMember(&json, "date", report.machine.date);
  bench::AddMachine(&json, report.machine);
  bench::AddLibrary(&json, report.options.binding, report.library_version, report.library_file);
  AddMember(&json, "device", report.device);
  AddMember(&json, "medium", report.medium);
  AddOptions(&json, report);
  json.Key("results");
  json.BeginArray();
  for (const PeerResult& result : report.results) AddResult(&json, result);
  json.EndArray();
  if (!report.tier.empty()) bench::AddMetrics(&json, "pmem", report.tier);
  AddMember(&json, "open_seconds", report.open_seconds);
  AddMember(&json, "user_bytes", report.user_bytes);
  bench::AddKnown(&json, "written_bytes", report.written_bytes);
  AddMember(&json, "written_bytes_a_user_byte", Ratio(report.written_bytes, report.user_bytes));
  AddMember(&json, "live_bytes", report.live_bytes);
  AddMember(&json, "space_bytes", report.space_bytes);
  AddMember(&json, "peak_resident_bytes", report.peak_resident_bytes);
  AddMember(&json, "peak_anonymous_bytes", report.peak_anonymous_bytes);
  AddMember(&json, "failure", report.failure);
  json.EndObject();
  return json.text();
}

}  // namespace leveldb::peers
