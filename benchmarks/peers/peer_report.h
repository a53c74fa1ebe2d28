// PeerReport holds the results of a run of peer_bench, which are printed as text and as JSON.
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
  uint64_t timed_one_in = 1;              // as in PeerWorkload
  std::optional<double> rest_seconds;     // after writes: until background work ended
  std::optional<uint64_t> written_bytes;  // until then; nothing if the system does not tell
  bench::DeviceUse device;                // by the workload and concurrent background work
};

struct PeerReport {
  bench::Machine machine;
  std::string library_version;  // of the binding's library
  std::string library_file;     // the file that was really loaded
  PeerOptions options;
  std::string device;  // the device of the tier's pool; empty without the tier
  std::string medium;  // how written data reaches it
  std::vector<PeerResult> results;

  bench::TierMetrics tier;
  double open_seconds = 0;                // the last opening of an empty store took this
  uint64_t user_bytes = 0;                // keys and values written
  std::optional<uint64_t> written_bytes;  // for them, until the store was closed
  uint64_t live_bytes = 0;                // keys and values that are in the store at the end
  uint64_t space_bytes = 0;               // their space on the medium, with the store closed
  uint64_t peak_resident_bytes = 0;
  uint64_t peak_anonymous_bytes = 0;
  std::string failure;  // why the run ended early; empty if it did not
};

// Returns the line before the first result.
std::string FormatHeader(const PeerReport& report);

std::string FormatResult(const PeerResult& result);

// Returns the resource use of the store, after the last result.
std::string FormatUse(const PeerReport& report);

// Returns the whole report as JSON text; docs/benchmarking.md explains the members.
std::string FormatReport(const PeerReport& report);

}  // namespace leveldb::peers

#endif  // BUSHSTORE_BENCHMARKS_PEERS_PEER_REPORT_H_
