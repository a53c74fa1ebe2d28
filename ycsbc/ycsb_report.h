// YcsbReport holds the results of a run of ycsbc, which are printed as text and as JSON.
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
  std::string device;          // the device of the tier's pool; empty without the tier
  std::string medium;          // how written data reaches it
  bool knows_versions = true;  // whether the versions of records from earlier runs are known
  std::vector<PhaseResult> phases;
  uint64_t peak_resident_bytes = 0;
  uint64_t peak_anonymous_bytes = 0;
  uint64_t ledger_bytes = 0;  // the part of these bytes that the verification takes
  std::string failure;        // why the run ended early; empty if it did not
};

// Returns the lines before the first phase, with the rule under them.
std::string FormatHeader(const YcsbReport& report);

// Returns rates and counts of a phase, and a line for each kind of operation. Ends with a line
// feed.
std::string FormatPhase(const PhaseResult& result);

// Returns the whole report as JSON text; docs/benchmarking.md explains the members.
std::string FormatReport(const YcsbReport& report);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_YCSB_REPORT_H_
