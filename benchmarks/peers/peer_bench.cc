// peer_bench runs db_bench's workloads on LevelDB and on other stores, all called, timed and
// checked in the same way. peers.py runs it on one after the other; docs/benchmarking.md explains
// how.
//
//   PeerOptions -> PeerRun -> for each workload: a PeerPhase with a StoreSession and a Verifier ->
//   PeerResult -> PeerReport
#include <cstdio>
#include <string>

#include "benchmarks/peers/peer_options.h"
#include "benchmarks/peers/peer_run.h"
#include "ycsbc/run_failure.h"

int main(int argc, char** argv) {
  using leveldb::ycsbc::ExitCode;
  leveldb::peers::PeerOptions options;
  bool wants_help = false;
  const std::string mistake = leveldb::peers::ParseCommandLine(argc, argv, &options, &wants_help);
  if (wants_help) {
    std::fputs(leveldb::peers::HelpText().c_str(), stdout);
    return static_cast<int>(ExitCode::kSuccess);
  }
  if (!mistake.empty()) {
    std::fprintf(stderr, "peer_bench: %s.\n", mistake.c_str());
    return static_cast<int>(ExitCode::kBadUsage);
  }
  return static_cast<int>(leveldb::peers::PeerRun(options).Run());
}
