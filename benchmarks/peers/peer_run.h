// PeerRun is a whole run of peer_bench: its workloads, one after the other, on one store.
#ifndef BUSHSTORE_BENCHMARKS_PEERS_PEER_RUN_H_
#define BUSHSTORE_BENCHMARKS_PEERS_PEER_RUN_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "benchmarks/failure.h"
#include "benchmarks/key_ledger.h"
#include "benchmarks/memory_use.h"
#include "benchmarks/peers/peer_options.h"
#include "benchmarks/peers/peer_report.h"
#include "benchmarks/value_codec.h"
#include "ycsbc/run_failure.h"
#include "ycsbc/store.h"

namespace leveldb::peers {

// PeerRun is not thread-safe.
class PeerRun {
 public:
  // Opens an empty store.
  using OpenFunction =
      std::function<Status(const ycsbc::StoreOptions&, std::unique_ptr<ycsbc::Store>*)>;

  // REQUIRES: ParseCommandLine found no error.
  explicit PeerRun(const PeerOptions& options);
  // Uses another function to open the store, for tests.
  PeerRun(const PeerOptions& options, OpenFunction open);

  // Runs the workloads and prints results to standard output, and errors to standard error. Must be
  // called only once.
  ycsbc::ExitCode Run();

  const PeerReport& report() const { return report_; }

 private:
  bool FindBadPlace();
  bool RunAll();
  bool RunOne(const PeerWorkload& workload);
  bool OpenEmpty();
  void Close();
  void FinishReport();
  bool Check(const std::string& mistake);
  ycsbc::ExitCode Code() const;

  const PeerOptions options_;
  const OpenFunction open_;
  const bench::ValuePool pool_;
  const bench::ValueChecker checker_;
  bench::KeyLedger ledger_;
  bench::Failure failure_;
  bench::AnonymousPeak anonymous_peak_;
  std::unique_ptr<ycsbc::Store> store_;
  std::optional<uint64_t> written_before_;  // by write calls when the store was made
  bool is_cut_ = false;                     // a workload that writes reached its time limit
  bool has_bad_usage_ = false;
  PeerReport report_;
};

}  // namespace leveldb::peers

#endif  // BUSHSTORE_BENCHMARKS_PEERS_PEER_RUN_H_
