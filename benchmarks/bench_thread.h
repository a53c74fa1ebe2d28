// BenchThread is one thread of a benchmark; Phase is the state that all its threads share.
#ifndef BUSHSTORE_BENCHMARKS_BENCH_THREAD_H_
#define BUSHSTORE_BENCHMARKS_BENCH_THREAD_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "benchmarks/bench_database.h"
#include "benchmarks/bench_options.h"
#include "benchmarks/benchmark.h"
#include "benchmarks/failure.h"
#include "benchmarks/key_ledger.h"
#include "benchmarks/thread_stats.h"
#include "benchmarks/value_codec.h"
#include "benchmarks/verifier.h"
#include "leveldb/status.h"
#include "port/cache_line.h"
#include "util/random.h"

namespace leveldb::bench {

// Phase is one run of one benchmark: set up by the session, then shared by the threads. The
// pointers are not owned.
struct Phase {
  const Benchmark* benchmark;
  const BenchOptions* options;
  BenchDatabase* database;
  KeyLedger* ledger;
  const ValuePool* pool;
  const Verifier* verifier;
  Failure* failure;

  // The number of earlier runs of a benchmark of this name in this process.
  int repetition = 0;
  // Operations for each thread.
  int64_t operations = 0;
  // Entries of a batch, for benchmarks that write.
  int64_t entries_a_batch = 1;
  int value_size = 0;
  // Bytes of input for each operation of benchmarks that compress or checksum.
  int64_t block_size = 0;
  // The mark of the written values; 0 if the benchmark does not write.
  Generation generation = 0;

  // Measured threads that have not finished yet; the concurrent writer stops at 0.
  std::atomic<int> measured_threads_running{0};
};

// BenchThread is used by its own thread; other threads may call only those functions of stats()
// that allow it.
class alignas(kApartBytes) BenchThread {
 public:
  // `is_writer` marks the thread that writes while the measured threads run
  // (Crew::kThreadsAndWriter).
  BenchThread(Phase* phase, int index, bool is_writer);

  Phase& phase() { return *phase_; }
  const Phase& phase() const { return *phase_; }
  const BenchOptions& options() const { return *phase_->options; }
  DB* db() { return phase_->database->db(); }
  bool is_writer() const { return is_writer_; }
  ThreadStats& stats() { return stats_; }
  const ThreadStats& stats() const { return stats_; }
  Random& random() { return random_; }

  // REQUIRES: the benchmark writes.
  ValueMaker& values() { return *values_; }

  // Returns the number of any of the --num keys.
  uint64_t RandomKey() { return random_.Uniform(static_cast<uint64_t>(options().num)); }

  // Returns true if some thread has failed, so that there is no reason to continue.
  bool MustStop() const { return phase_->failure->happened(); }

  // Reports a failure if the store answered `what` with an error. Returns false for an error.
  bool CheckStatus(const char* what, const Status& status);

  // Records these writes in the ledger when the phase is over.
  void EnterAtEnd(const KeyLedger::Written& written) { written_ = written; }
  void EnterWrites() const {
    if (written_.has_value()) phase_->ledger->Enter(*written_);
  }

  // Runs the benchmark's work, with the clock running.
  void Run();

  // The text to print instead of a line of figures.
  const std::string& text() const { return text_; }
  void set_text(const std::string& text) { text_ = text; }

 private:
  Phase* const phase_;
  const bool is_writer_;
  Random random_;
  ThreadStats stats_;
  std::unique_ptr<ValueMaker> values_;
  std::optional<KeyLedger::Written> written_;
  std::string text_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_BENCH_THREAD_H_
