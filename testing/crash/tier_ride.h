// TierRide: a database with the tier on a disk and a pool that know what a power cut would leave of
// them, in use: random batches of a history, flushes, compactions, snapshots, reopenings, now and
// then a drain. On the way the power goes at random moments, and what each cut would leave is kept.
//
// Then each wreck is opened. It must hold a prefix of the history, with everything in it that had
// been promised, and it must hold it again after the next cut.

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
  PmemOptions pmem;  // its path is the ride's own
  Options options;
  size_t value_size_max = 2000;
  uint64_t batches = 250;             // of the whole ride, if it has seen enough cuts by then
  size_t cuts_at_least = 1;           // on the way; the power goes once more at the end
  size_t cuts = 24;                   // at most
  uint64_t changes_between_cuts = 0;  // on average; 0: drawn for each ride
  bool drains = true;                 // now and then
  // If given, stands between the database and the simulation, to plant faults.
  std::function<std::unique_ptr<Persist>(std::unique_ptr<Persist>)> wrap;
};

// Disk and pools as the power left them, and what the database had promised until then.
struct Wreck {
  std::unique_ptr<PowerEnv> disk;
  PoolsImage pools;
  uint64_t certain = 0;  // so many batches of the history must be there
  uint64_t started = 0;  // so many may be there
};

class TierRide {
 public:
  TierRide(uint64_t seed, const RideOptions& options);
  ~TierRide();

  TierRide(const TierRide&) = delete;
  TierRide& operator=(const TierRide&) = delete;

  // Called when the database has been opened for the first time, to plant faults.
  void AfterFirstOpen(std::function<void(PmemSim*)> plant) { plant_ = std::move(plant); }

  // Writes the history and keeps wrecks. A database that fails while the power is on is reported
  // through GoogleTest, unless faults are planted.
  void Run();

  std::vector<Wreck>* wrecks() { return &wrecks_; }
  const History& history() const { return history_; }

  // Opens a wreck, once only. *count: so many batches it holds. Then goes on writing there, lets
  // the power go again, and opens what that leaves, as often as `cuts` says. An error, also of the
  // check of all references, says what is not as it should be.
  Status Recover(const Wreck& wreck, int cuts, uint64_t* count);

 private:
  // One power supply: a disk, a simulation of pools, and what has been promised by the database on
  // them. Wrecks are made of it at random moments.
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
  Dice dice_;         // of the thread that works
  Dice cut_dice_;     // of the cuts, under the mutex
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
