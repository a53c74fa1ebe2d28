// What ycsbc tells about a run: to people, and as JSON.
#ifndef BUSHSTORE_YCSBC_YCSB_REPORT_H_
#define BUSHSTORE_YCSBC_YCSB_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/machine.h"
#include "ycsbc/phase.h"
#include "ycsbc/run_options.h"

namespace leveldb::ycsbc {

struct YcsbReport {
  bench::Machine machine;
  std::string library_version;  // of the binding's library
  std::string library_file;     // the file that was really loaded
  RunOptions options;
  std::string device;  // that the tier's pool is on; empty without the tier
  std::string medium;  // how what is written gets there
  bool knows_versions = true;  // those of records that were there before
  std::vector<PhaseResult> phases;
  uint64_t peak_resident_bytes = 0;
  uint64_t peak_anonymous_bytes = 0;
  uint64_t ledger_bytes = 0;  // of those, what the verification takes
  std::string failure;        // why the run ended early; empty when it did not
};

// The lines before the first phase, with the rule under them.
std::string FormatHeader(const YcsbReport& report);

// Rates and counts of a phase, and a line for each kind of operation. Ends with a line feed.
std::string FormatPhase(const PhaseResult& result);

// The whole report as JSON text; docs/benchmarking.md explains the members.
std::string FormatReport(const YcsbReport& report);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_YCSB_REPORT_H_
