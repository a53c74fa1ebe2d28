// TierRide: uses a database with the tier on a simulated disk and pool, and cuts their power.
//
// Run writes random batches of a history, flushes, compacts, takes snapshots, reopens, and
// occasionally drains. Power cuts happen at random moments, and what each would leave is kept as a
// wreck.
//
// Recover opens a wreck. It must hold a prefix of the history that includes everything that had
// been promised, and must hold it again after the next cut.

#ifndef BUSHSTORE_TESTING_CRASH_TIER_RIDE_H_
#define BUSHSTORE_TESTING_CRASH_TIER_RIDE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/pmem.h"
#include "testing/crash/pools_image.h"
#include "testing/dice.h"
#include "testing/history.h"
#include "testing/pmem_sim.h"
#include "testing/power_env.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

struct RideOptions {
  Loss loss = Loss::kDropAll;
  PmemSim::Model model = PmemSim::Model::kCacheLines;
  PmemOptions pmem;  // the ride sets its path
  Options options;
  size_t value_size_max = 2000;
  uint64_t batches = 250;             // of the whole ride, if it has had enough cuts by then
  size_t cuts_at_least = 1;           // during the ride; one more cut follows at the end
  size_t cuts = 24;                   // at most
  uint64_t changes_between_cuts = 0;  // on average; 0: drawn for each ride
  bool drains = true;                 // occasionally
  // If given, wraps the persist seam between database and simulation, to plant faults.
  std::function<std::unique_ptr<Persist>(std::unique_ptr<Persist>)> wrap;
};

// Disk and pools after a power cut, and what the database had promised until then.
struct Wreck {
  std::unique_ptr<PowerEnv> disk;
  PoolsImage pools;
  uint64_t certain = 0;  // at least this many batches of the history must be present
  uint64_t started = 0;  // at most this many may be present
};

class TierRide {
 public:
  TierRide(uint64_t seed, const RideOptions& options);
  ~TierRide();

  TierRide(const TierRide&) = delete;
  TierRide& operator=(const TierRide&) = delete;

  // Sets a function that is called when the database has been opened for the first time, to plant
  // faults.
  void AfterFirstOpen(std::function<void(PmemSim*)> plant) { plant_ = std::move(plant); }

  // Writes the history and collects wrecks. Failures of the database before a cut are reported
  // through GoogleTest, unless faults are planted.
  void Run();

  std::vector<Wreck>* wrecks() { return &wrecks_; }
  const History& history() const { return history_; }

  // Opens a wreck, which can be done only once, and sets *count to the number of batches it holds.
  // Then writes to the database, cuts the power again, and opens what that leaves, `cuts` times.
  // Returns an error that says what is wrong, which may also come from the check of all references.
  Status Recover(const Wreck& wreck, int cuts, uint64_t* count);

 private:
  // One power supply: a disk, a simulation of pools, and what the database on them has promised.
  // Wrecks are made of it at random moments.
  struct Site;

  Status OpenAt(PowerEnv* disk, PmemSim* sim, std::unique_ptr<PmemDB>* db);
  Status CheckAt(PowerEnv* disk);
  void Session(uint64_t batches);
  Status WriteOne(Site* site, DB* db);
  void Cut(Site* site, std::vector<Wreck>* wrecks);
  uint64_t Certain(const Site& site) const;
  Status RecoverOnce(const Wreck& wreck, History* history, uint64_t certain, Wreck* next,
                     uint64_t* count);

  const RideOptions options_;
  std::mutex mutex_;  // the listeners are called by several threads
  Dice dice_;         // used by the thread that runs the ride
  Dice cut_dice_;     // for the cuts; guarded by mutex_
  const TempDir dir_;
  const std::string pools_;
  History history_;
  std::function<void(PmemSim*)> plant_;
  std::unique_ptr<Site> site_;
  std::vector<Wreck> wrecks_;
  uint64_t changes_between_cuts_ = 1;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CRASH_TIER_RIDE_H_
