// YcsbRun is a whole run of ycsbc: its phases, one after the other, on one directory.
#ifndef BUSHSTORE_YCSBC_YCSB_RUN_H_
#define BUSHSTORE_YCSBC_YCSB_RUN_H_

#include <functional>
#include <memory>
#include <string>

#include "benchmarks/memory_use.h"
#include "ycsbc/bindings.h"
#include "ycsbc/phase.h"
#include "ycsbc/record_codec.h"
#include "ycsbc/record_keys.h"
#include "ycsbc/record_ledger.h"
#include "ycsbc/records_file.h"
#include "ycsbc/run_failure.h"
#include "ycsbc/run_options.h"
#include "ycsbc/ycsb_report.h"

namespace leveldb::ycsbc {

// YcsbRun is not thread-safe.
class YcsbRun {
 public:
  using OpenFunction = std::function<Status(const StoreOptions&, std::unique_ptr<Store>*)>;

  // REQUIRES: ParseCommandLine found no error.
  explicit YcsbRun(const RunOptions& options);
  // Uses another function to open the store, for tests.
  YcsbRun(const RunOptions& options, OpenFunction open);

  // Runs the phases and prints header and results to standard output, and errors to standard error.
  // Must be called only once.
  ExitCode Run();

  const YcsbReport& report() const { return report_; }

 private:
  bool PrepareLoad();
  bool PrepareRun(PhaseKind kind);
  bool TakeRecords(uint64_t more);
  bool RunOne(PhaseKind kind);
  bool Open(PhaseKind kind, std::unique_ptr<Store>* store, double* seconds);
  bool Matches(const RecordsFile& file);
  bool Save(bool is_complete);
  bool Check(ExitCode code, const std::string& mistake);
  void FinishReport();

  const RunOptions options_;
  const OpenFunction open_;
  const RecordKeys keys_;
  const RecordCodec codec_;
  RunFailure failure_;
  bench::AnonymousPeak anonymous_peak_;
  RecordsFile file_;  // the contents that it should have now
  std::unique_ptr<RecordLedger> ledger_;
  bool header_is_printed_ = false;
  YcsbReport report_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_YCSB_RUN_H_
