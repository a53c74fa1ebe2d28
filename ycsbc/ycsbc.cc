// ycsbc: runs the core workloads of YCSB on LevelDB and on other stores, and checks what it reads.
// docs/benchmarking.md tells how to use it.
//
// It is a guest of the libraries it measures: the same binary runs with any libleveldb of the same
// binary interface (LD_LIBRARY_PATH). From command line to result:
//
//   RunOptions (Properties -> CoreWorkload, StoreOptions) -> YcsbRun -> for load, run and check: a
//   Phase -> Clients, each with a StoreSession, generators and a RecordChecker -> PhaseResult ->
//   YcsbReport
#include <cstdio>
#include <string>

#include "ycsbc/run_failure.h"
#include "ycsbc/run_options.h"
#include "ycsbc/ycsb_run.h"

int main(int argc, char** argv) {
  using leveldb::ycsbc::ExitCode;
  leveldb::ycsbc::RunOptions options;
  bool wants_help = false;
  const std::string mistake =
      leveldb::ycsbc::ParseCommandLine(argc, argv, &options, &wants_help);
  if (wants_help) {
    std::fputs(leveldb::ycsbc::HelpText().c_str(), stdout);
    return static_cast<int>(ExitCode::kSuccess);
  }
  if (!mistake.empty()) {
    std::fprintf(stderr, "ycsbc: %s.\n", mistake.c_str());
    return static_cast<int>(ExitCode::kBadUsage);
  }
  return static_cast<int>(leveldb::ycsbc::YcsbRun(options).Run());
}
