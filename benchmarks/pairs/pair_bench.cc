// pair_bench measures the time of one library relative to another one, on a machine that is never
// quiet. Both do the same work in one process, in turns; docs/benchmarking.md explains how.
//
//   PairOptions -> two PairRuns -> MedianRatio
#include <signal.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/pairs/pair_figures.h"
#include "benchmarks/pairs/pair_options.h"
#include "benchmarks/pairs/pair_run.h"

namespace leveldb::bench {
namespace {

constexpr int kInterruptedExit = 130;  // as in a shell

volatile std::sig_atomic_t interrupted = 0;

void NoteInterruption(int) {
  interrupted = 1;
}

// Makes signals end the run regularly, so that databases and pools are removed: a pool on a tmpfs
// takes memory. A second signal ends the process at once.
void ListenForInterruptions() {
  struct sigaction action = {};
  action.sa_handler = NoteInterruption;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

using Nanos = PairRun::Nanos;

// Runs half of the operations with the databases created in one order, half in the other: the order
// of creation may change the result by some hundredths. Returns an error, or "".
std::string RunBothOrders(PairOptions options, Nanos* nanos) {
  options.operations = options.operations / 2 + options.operations % 2;
  for (const size_t first : {0, 1}) {
    PairRun run(options, &interrupted);
    const std::string mistake = run.Run();
    if (!mistake.empty()) return mistake;
    for (size_t i = 0; i < nanos->size(); i++) {
      std::vector<double>& all = (*nanos)[i];
      const std::vector<double>& more = run.nanos()[i ^ first];
      all.insert(all.end(), more.begin(), more.end());
    }
    std::swap(options.libraries[0], options.libraries[1]);
  }
  return "";
}

void Print(const PairOptions& options, const Nanos& nanos) {
  std::printf("%s of %zu bytes, %llu keys: %zu turns of %llu operations\n",
              NameOf(options.workload), options.value_size,
              static_cast<unsigned long long>(options.num), nanos[0].size(),
              static_cast<unsigned long long>(options.turn));
  std::printf("%-40s %10s %10s %10s\n", "nanoseconds an operation", "quarter", "median",
              "3 quarters");
  for (size_t i = 0; i < nanos.size(); i++) {
    std::printf("%-40s %10.1f %10.1f %10.1f\n", options.libraries[i].c_str(),
                Quantile(nanos[i], 0.25), Quantile(nanos[i], 0.5), Quantile(nanos[i], 0.75));
  }
  const MedianWithBounds ratio = MedianRatio(nanos[0], nanos[1]);
  std::printf("time of the second, of the first, turn by turn: %.3f", ratio.median);
  if (ratio.has_bounds) std::printf(" (%.3f to %.3f)", ratio.low, ratio.high);
  std::printf("\n");
}

int Fail(const std::string& mistake, int exit_code) {
  std::fprintf(stderr, "pair_bench: %s.\n", mistake.c_str());
  return exit_code;
}

}  // namespace
}  // namespace leveldb::bench

int main(int argc, char** argv) {
  using namespace leveldb::bench;
  PairOptions options;
  std::string mistake = ParsePairCommandLine(argc, argv, &options);
  if (!mistake.empty()) return Fail(mistake, 2);
  ListenForInterruptions();
  Nanos nanos;
  try {
    mistake = RunBothOrders(options, &nanos);
  } catch (const std::bad_alloc&) {
    mistake = "there is not enough memory";
  }
  if (mistake == PairRun::kInterrupted) return Fail(mistake, kInterruptedExit);
  if (!mistake.empty()) return Fail(mistake, 1);
  Print(options, nanos);
  return 0;
}
