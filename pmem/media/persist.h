// Persist: the interface between the tier and its medium. It defines how bytes get into the mapped
// pool and when they are durable. Everything that the tier writes goes through these calls, so that
// a simulator that replaces them sees every byte (testing/pmem_sim.h).
//
// Code may assume of a medium: an aligned store of eight bytes is never torn; what has been copied
// or flushed and then fenced survives the failures that the medium can survive; all other stores
// may or may not survive, each eight bytes independently.
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

// What a persist backend has done so far. Counted without locks: if very many threads write at the
// same time, a few counts may be missing.
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

  // Copies from[0, n) to `to`. This thread can read the copy at once, other threads once they have
  // synchronised with it after a Fence. The copy is persistent after the next Fence of this thread.
  virtual void Copy(void* to, const void* from, size_t n) = 0;

  // Makes the lines that hold p[0, n), which plain stores have written, persistent with the next
  // Fence of this thread. The stores may be another thread's if they happened before.
  virtual void Flush(const void* p, size_t n) = 0;

  // Orders everything that this thread has copied or flushed before everything that it does next,
  // and makes it as persistent as an acknowledged write without `sync` must be.
  virtual void Fence() = 0;

  // The strong form of Fence: on return, everything that any thread has copied or flushed, if it
  // happened before, is on the medium. An error is sticky: all later calls return it, too.
  virtual Status Sync() = 0;

  // Stores v at `to`, which is aligned to eight bytes, in one piece and after everything that this
  // thread stored before, and flushes it. Data that v publishes must have been fenced before the
  // call; otherwise v may become persistent without them.
  void Publish(uint64_t* to, uint64_t v) {
    std::atomic_ref<uint64_t>(*to).store(v, std::memory_order_release);
    Flush(to, sizeof(*to));
  }

  // Returns true if fenced data survive a power failure. Otherwise they survive only after a Sync,
  // and on an emulated medium not even then.
  virtual bool SurvivesPowerLoss() const = 0;

  // Returns a description for messages, such as "clwb, avx512 copies" or "msync".
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

// Returns the backend for the medium: cache lines for memory, msync for files.
std::unique_ptr<Persist> NewPersist(const PersistTarget& target);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_PERSIST_H_
