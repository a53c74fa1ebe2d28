// What peer_bench tells about a run: to people, and as JSON.
#ifndef BUSHSTORE_BENCHMARKS_PEERS_PEER_REPORT_H_
#define BUSHSTORE_BENCHMARKS_PEERS_PEER_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/bench_result.h"
#include "benchmarks/device_account.h"
#include "benchmarks/machine.h"
#include "benchmarks/peers/peer_options.h"
#include "benchmarks/tier_metrics.h"

namespace leveldb::peers {

struct PeerResult {
  bench::BenchResult figures;
  uint64_t latency_count = 1;             // as in PeerWorkload
  uint64_t timed_one_in = 1;              // as there
  std::optional<double> rest_seconds;     // of one that writes: until the store was at rest
  std::optional<uint64_t> written_bytes;  // until then; nothing where the system does not tell
  bench::DeviceUse device;                // by the workload and by what the store does meanwhile
};

struct PeerReport {
  bench::Machine machine;
  std::string library_version;  // of the binding's library
  std::string library_file;     // the file that was really loaded
  PeerOptions options;
  std::string device;  // that the tier's pool is on; empty without the tier
  std::string medium;  // how what is written gets there
  std::vector<PeerResult> results;

  bench::TierMetrics tier;
  double open_seconds = 0;                // the last time that it was opened, empty
  uint64_t user_bytes = 0;                // keys and values written
  std::optional<uint64_t> written_bytes;  // for them, until the store was closed
  uint64_t live_bytes = 0;                // keys and values that are in the store at the end
  uint64_t space_bytes = 0;               // what they take on the medium, the store closed
  uint64_t peak_resident_bytes = 0;
  uint64_t peak_anonymous_bytes = 0;
  std::string failure;  // why the run ended early; empty when it did not
};

// The line before the first result.
std::string FormatHeader(const PeerReport& report);

std::string FormatResult(const PeerResult& result);

// What the store took, after the last result.
std::string FormatUse(const PeerReport& report);

// The whole report as JSON text; docs/benchmarking.md explains the members.
std::string FormatReport(const PeerReport& report);

}  // namespace leveldb::peers

#endif  // BUSHSTORE_BENCHMARKS_PEERS_PEER_REPORT_H_
