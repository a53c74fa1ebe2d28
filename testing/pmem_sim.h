// PmemSim: persistent memory that knows what a power cut would leave.
//
// Pools that are made or opened with its factory work on ordinary memory, and every copy, flush and
// fence is also booked here. Of each byte it is known what is durable for certain; of the rest a
// power cut keeps, in pieces of eight bytes, whatever it likes: what was copied or flushed and not
// yet fenced by the thread that did so, and what was only stored and may have left the cache by
// itself. libpmemobj's own writes are booked, too: the program that links this stands in the way of
// its calls of libpmem (pmem_calls.cc), which takes `set_target_properties(... ENABLE_EXPORTS ON)`.
//
// A power cut may at any moment be asked for a copy of the pools as they would be found afterwards
// (as testing/power_env.h does it for files). The pools go on undisturbed.
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

// What is in the files of a pool at one moment.
struct PoolImage {
  struct File {
    std::string name;  // within the pool's directory, such as "db-0a1b.pool/000000.pmem"
    SparseBytes bytes;
  };
  std::string directory;  // where the pool was
  std::vector<File> files;
};

// What a power cut leaves of all pools of a simulation.
struct PmemImages {
  std::vector<PoolImage> pools;

  // Puts the pools into a directory, under the names they had, or back to where they were. Nobody
  // may have pools open there. REQUIRES: the file system takes them.
  void WriteTo(const std::string& directory) const;
  void Restore() const;
};

// Thread-safe. Must outlive its pools.
class PmemSim {
 public:
  // What makes a byte durable.
  enum class Model {
    kCacheLines,  // copy or flush, then a fence of the same thread
    kMsync,       // Sync
  };

  explicit PmemSim(Model model = Model::kCacheLines);
  ~PmemSim();

  PmemSim(const PmemSim&) = delete;
  PmemSim& operator=(const PmemSim&) = delete;

  // For PoolOptions::persist_factory.
  PersistFactory Factory();

  // The open pools as they would be found if the power went now. Of kDropAll nothing survives that
  // is not durable, of kKeepAll everything (only the process was killed); the others draw random
  // parts. No store through a persist seam happens meanwhile; `meanwhile`, if given, is called at
  // that moment, to copy files for instance.
  PmemImages AfterPowerLoss(Loss loss, Dice* dice, const std::function<void()>& meanwhile = {});

  // Called before each flush, fence and sync takes effect, with the number of such changes made so
  // far, by the thread that makes the change. The listener may call AfterPowerLoss. Set it while
  // nothing is running.
  void SetChangeListener(std::function<void(uint64_t)> listener);
  uint64_t changes() const;

  // Planted faults, to prove that the alarm works. libpmemobj's own calls are never faulty.
  //
  // Fences and syncs number first to first + count - 1, counted from this call on beginning with 1,
  // do nothing.
  void SkipFences(uint64_t first, uint64_t count = 1);
  // The publishes (flushes of exactly eight bytes) of the same numbering are durable at once,
  // before what they publish: the fence before each was forgotten.
  void PublishEarly(uint64_t first, uint64_t count = 1);
  // Fences and syncs, and publishes, seen since the last of the two calls.
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
