#include "benchmarks/bench_thread.h"

#include "benchmarks/seed_of.h"

namespace leveldb::bench {

namespace {

// Returns the seed of a thread, which follows from --seed, the benchmark's name, the number of its
// earlier runs, and the thread: the same in every run, and different for any two threads, so that
// reads do not repeat the order of the writes. It is the 64-bit FNV-1a hash of
// "301/fillrandom/0/0".
uint64_t SeedOfThread(const Phase& phase, int thread) {
  return SeedOf(std::to_string(phase.options->seed) + '/' + phase.benchmark->name + '/' +
                std::to_string(phase.repetition) + '/' + std::to_string(thread));
}

}  // namespace

BenchThread::BenchThread(Phase* phase, int index, bool is_writer)
    : phase_(phase),
      is_writer_(is_writer),
      random_(SeedOfThread(*phase, index)),
      stats_(phase->options->histogram, phase->options->pace) {
  const bool makes_values =
      phase->benchmark->crew == Crew::kThreadsAndWriter ? is_writer : phase->generation != 0;
  if (makes_values) {
    values_ = std::make_unique<ValueMaker>(*phase->pool, static_cast<size_t>(phase->value_size));
  }
}

bool BenchThread::CheckStatus(const char* what, const Status& status) {
  if (status.ok()) return true;
  phase_->failure->Report(ExitCode::kCannotRun, std::string(phase_->benchmark->name) + ": " + what +
                                                    " failed: " + status.ToString());
  return false;
}

void BenchThread::Run() {
  stats_.Start();
  phase_->benchmark->workload(*this);
  stats_.Stop();
  if (!is_writer_) phase_->measured_threads_running.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace leveldb::bench
