// Figures: counts what a stress run has done, in memory that its processes share.

#ifndef BUSHSTORE_TESTING_STRESS_FIGURES_H_
#define BUSHSTORE_TESTING_STRESS_FIGURES_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "testing/fault_env.h"

namespace leveldb {
namespace testkit {

enum class Figure {
  kRuns,
  kEpisodes,
  kOpens,
  kChecks,    // runs of `bushstore check`
  kCompares,  // comparisons of all contents with the expected state
  kPuts,
  kDeletes,
  kBatches,
  kGets,
  kPeeks,
  kScans,
  kSnapshots,
  kIterators,
  kWalks,
  kFlushes,
  kCompacts,
  kProperties,
  kSizes,
  kDrains,
  kConversions,
  kFailedWrites,
  kFailedReads,
  kFailedOpens,
  kKills,
  kCuts,
  kCutsWhileOpening,
  kCutsKeepingAll,
  kCutsAfterFaults,
  kMixes,        // of directories
  kMixesOpened,  // those opened without a repair
  kFullDisk,
  kPoolRefusals,
};
constexpr int kFigures = static_cast<int>(Figure::kPoolRefusals) + 1;

// Thread-safe, and safe across fork and kill.
class Figures {
 public:
  Figures();
  ~Figures();
  Figures(const Figures&) = delete;
  Figures& operator=(const Figures&) = delete;

  void Add(Figure figure, uint64_t count = 1) { shared_->counts[Index(figure)] += count; }
  void AddFault(Call call, uint64_t count) { shared_->faults[Index(call)] += count; }
  uint64_t Get(Figure figure) const { return shared_->counts[Index(figure)].load(); }
  // Returns the sum of all figures, which grows as long as the run makes progress.
  uint64_t Total() const;

  // What the report says in addition to the counts.
  struct Summary {
    double seconds = 0;
    uint64_t first_seed = 0;
    uint32_t threads = 0;
    uint64_t failures = 0;
    std::string kinds;
  };
  std::string Table(const Summary& summary) const;
  std::string Json(const Summary& summary) const;

 private:
  struct Shared {
    std::array<std::atomic<uint64_t>, kFigures> counts;
    std::array<std::atomic<uint64_t>, kCallKinds> faults;
  };

  template <typename Name>
  static size_t Index(Name name) {
    return static_cast<size_t>(name);
  }
  uint64_t Operations() const;
  uint64_t Faults() const;

  Shared* shared_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_FIGURES_H_
