// PmemSim: simulated persistent memory that knows what a power cut would leave.
//
// Pools that are created or opened with its factory work on ordinary memory, and every copy, flush
// and fence is also recorded here. The simulation knows which bytes are durable for certain. A
// power cut keeps any subset of the other pieces of eight bytes: what was copied or flushed and not
// yet fenced by the thread that did so, and what was only stored and may have left the cache by
// itself. libpmemobj's own writes are recorded, too: the program that links this intercepts its
// calls of libpmem (pmem_calls.cc), which takes `set_target_properties(... ENABLE_EXPORTS ON)`.
//
// AfterPowerLoss may be called at any moment. It returns a copy of the pools as they would be found
// after a power cut (as testing/power_env.h does for files). The pools themselves are not
// disturbed.
//
//   PmemSim sim;
//   options.persist_factory = sim.Factory();      // a pool, a database, a whole program ...
//   sim.SetChangeListener([&](uint64_t change) { if (change == 77) cut = sim.AfterPowerLoss(...);
//   });
//   ... run, close, cut.WriteTo(directory), open what is there
#ifndef BUSHSTORE_TESTING_PMEM_SIM_H_
#define BUSHSTORE_TESTING_PMEM_SIM_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/persist.h"
#include "testing/dice.h"
#include "testing/power_env.h"
#include "testing/sparse_bytes.h"

namespace leveldb {
namespace testkit {

// The contents of the files of a pool at one moment.
struct PoolImage {
  struct File {
    std::string name;  // within the pool's directory, such as "db-0a1b.pool/000000.pmem"
    SparseBytes bytes;
  };
  std::string directory;  // the directory of the pool
  std::vector<File> files;
};

// What a power cut leaves of all pools of a simulation.
struct PmemImages {
  std::vector<PoolImage> pools;

  // Writes the pools into a directory, under the names they had, or back to their own paths.
  // REQUIRES: no pool is open there, and the file system accepts the files.
  void WriteTo(const std::string& directory) const;
  void Restore() const;
};

// Thread-safe. Must outlive its pools.
class PmemSim {
 public:
  // The operations that make a byte durable.
  enum class Model {
    kCacheLines,  // copy or flush, then a fence by the same thread
    kMsync,       // Sync
  };

  explicit PmemSim(Model model = Model::kCacheLines);
  ~PmemSim();

  PmemSim(const PmemSim&) = delete;
  PmemSim& operator=(const PmemSim&) = delete;

  // Returns a value for PoolOptions::persist_factory.
  PersistFactory Factory();

  // Returns the open pools as they would be found after a power cut now. kDropAll keeps only what
  // is durable, kKeepAll keeps everything (only the process was killed); the others draw random
  // parts. No store through a persist seam happens during this call; `meanwhile`, if given, is
  // called at that moment, for instance to copy files.
  PmemImages AfterPowerLoss(Loss loss, Dice* dice, const std::function<void()>& meanwhile = {});

  // Sets a function that is called before each flush, fence and sync takes effect, with the number
  // of such changes made so far, by the thread that makes the change. The listener may call
  // AfterPowerLoss. REQUIRES: no operation on a pool is running.
  void SetChangeListener(std::function<void(uint64_t)> listener);
  uint64_t changes() const;

  // Planted faults, to prove that the tests notice them. libpmemobj's own calls are never faulty.
  //
  // Fences and syncs number first to first + count - 1 do nothing; they are counted from this call
  // on, beginning with 1.
  void SkipFences(uint64_t first, uint64_t count = 1);
  // The publishes (flushes of exactly eight bytes) with these numbers, counted in the same way, are
  // durable at once, before what they publish, as if the fence before each were missing.
  void PublishEarly(uint64_t first, uint64_t count = 1);
  // Return the fences and syncs, and the publishes, since the last call of SkipFences or
  // PublishEarly.
  uint64_t fences() const;
  uint64_t publishes() const;

 private:
  friend class SimPersist;
  class State;

  const std::shared_ptr<State> state_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_PMEM_SIM_H_
