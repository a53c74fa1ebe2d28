// The seam between the tier and the medium under it: how bytes get into the mapped pool and when
// they are there for good. Everything that the tier writes goes through these calls, so that a
// simulator in their place sees every byte (testing/pmem_sim.h).
//
// What may be assumed of a medium: an aligned store of eight bytes is never torn; what has been
// copied or flushed and then fenced is there after the failure that the medium can survive; of
// everything else any eight bytes may or may not be.
//
//   backend      Copy, Flush               Fence             Sync            survives
//   cache line   non-temporal, clwb        sfence            Fence           power loss (PM); a
//                                                                            kill of the process
//                                                                            (emulated)
//   msync        memcpy, notes the chunk   orders the CPU    msync of what   a kill of the process;
//                                                            is noted        after Sync power loss
#ifndef BUSHSTORE_PMEM_MEDIA_PERSIST_H_
#define BUSHSTORE_PMEM_MEDIA_PERSIST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/pool_medium.h"

namespace leveldb {

// What a persist backend has done so far. Counted without locks: when very many threads write at
// once, a few counts may be missing.
struct PersistCounts {
  uint64_t bytes_copied = 0;
  uint64_t flushes = 0;  // none where caches survive a power failure
  uint64_t fences = 0;
  uint64_t syncs = 0;
};

// Thread-safe. All addresses lie in the pool that the object was made for.
class Persist {
 public:
  virtual ~Persist() = default;

  Persist(const Persist&) = delete;
  Persist& operator=(const Persist&) = delete;

  // Copies from[0, n) to `to`. The copy can be read at once by this thread, by others once they
  // have synchronised with it after a Fence; it is persistent after the next Fence of this thread.
  virtual void Copy(void* to, const void* from, size_t n) = 0;

  // Makes the lines that hold p[0, n), which plain stores have written, persistent with the next
  // Fence of this thread. The stores may be another thread's if they happened before.
  virtual void Flush(const void* p, size_t n) = 0;

  // Everything this thread has copied or flushed comes before everything it does next, and is as
  // persistent as an acknowledged write without `sync` must be.
  virtual void Fence() = 0;

  // The strong form: what any thread has copied or flushed, if it happened before, is on the
  // medium. An error is sticky: all later calls return it, too.
  virtual Status Sync() = 0;

  // Stores v at `to`, which is aligned to eight bytes, in one piece and after everything this
  // thread stored before, and flushes it. To be persistent only together with what it publishes,
  // that must have been fenced before.
  void Publish(uint64_t* to, uint64_t v) {
    std::atomic_ref<uint64_t>(*to).store(v, std::memory_order_release);
    Flush(to, sizeof(*to));
  }

  // Whether what has been fenced survives a power failure; otherwise that takes a Sync, and on an
  // emulated medium not even that helps.
  virtual bool SurvivesPowerLoss() const = 0;

  // For people: "clwb", "msync".
  virtual std::string Name() const = 0;

  virtual PersistCounts counts() const = 0;

 protected:
  Persist() = default;
};

// The mapping that a backend works on.
struct PersistTarget {
  std::string path;  // of the pool
  char* base = nullptr;
  uint64_t reserved_bytes = 0;  // of address space; the pool may grow up to here
  PoolMedium medium;
};

using PersistFactory = std::function<std::unique_ptr<Persist>(const PersistTarget& target)>;

// The backend for the medium: cache lines for memory, msync for files.
std::unique_ptr<Persist> NewPersist(const PersistTarget& target);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_PERSIST_H_
