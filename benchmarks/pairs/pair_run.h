// PairRun runs two libraries in turns of some milliseconds, each with a database of its own, so
// that disturbances of the machine affect both.
#ifndef BUSHSTORE_BENCHMARKS_PAIRS_PAIR_RUN_H_
#define BUSHSTORE_BENCHMARKS_PAIRS_PAIR_RUN_H_

#include <array>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/key_codec.h"
#include "benchmarks/pairs/loaded_library.h"
#include "benchmarks/pairs/pair_options.h"
#include "util/random.h"

namespace leveldb::bench {

class PairRun {
 public:
  // Reads `interrupted` between turns; does not own it.
  PairRun(const PairOptions& options, const volatile std::sig_atomic_t* interrupted);
  ~PairRun();  // removes databases and pools

  PairRun(const PairRun&) = delete;
  PairRun& operator=(const PairRun&) = delete;

  // Makes the databases and runs the turns. Returns an error as a sentence without a full stop, or
  // "". Ends early, with kInterrupted, if it is interrupted.
  static constexpr char kInterrupted[] = "interrupted";
  std::string Run();

  // The nanoseconds per operation of each turn of each library.
  using Nanos = std::array<std::vector<double>, 2>;
  const Nanos& nanos() const { return nanos_; }  // valid after Run

 private:
  enum class Action {
    kPut,
    kGet,
    kGetMissing,
    kScan,
    kScanValues,
    kScanBack,
    kScanBackValues,
    kSeekOnce,
    kSeek,
    kSeekValues
  };
  enum class Order { kAscending, kDescending, kRandom };

  bool IsReading() const { return ActionOf(options_.workload) != Action::kPut; }
  static Action ActionOf(PairWorkload workload);
  static Order OrderOf(PairWorkload workload);
  std::string Open(size_t which);
  std::string FillForReads();
  std::string Rest() const;
  std::string TakeTurns();
  std::string TakeTurnOfWorkload(size_t which, double* nanos);
  void ChooseKeys(Order order, uint64_t first);
  std::string TakeTurn(size_t which, Action action, double* nanos);
  std::string Operate(LoadedDatabase* db, Action action, uint64_t number);
  std::string Get(LoadedDatabase* db, bool is_there);
  std::string WrongData(const LoadedDatabase& db) const;
  using ScanStep = std::string (LoadedDatabase::*)(Slice* key, Slice* value);
  std::string Scan(LoadedDatabase* db, ScanStep step, bool reads_value);
  std::string SeekOnce(LoadedDatabase* db);
  std::string Seek(LoadedDatabase* db, uint64_t number, bool reads_values);
  bool IsRight(const Slice& key, const Slice& value, bool reads_value) const;

  const PairOptions options_;
  const volatile std::sig_atomic_t* const interrupted_;
  const std::string value_;
  Random random_;
  KeyBuffer key_{0};
  std::vector<uint64_t> numbers_;  // the keys of a turn, the same for both
  std::string directory_;          // holds the databases; empty until it exists
  std::string pools_;              // likewise
  std::array<std::unique_ptr<LoadedLibrary>, 2> libraries_;
  std::array<std::unique_ptr<LoadedDatabase>, 2> dbs_;
  Nanos nanos_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PAIRS_PAIR_RUN_H_
