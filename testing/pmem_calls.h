// Intercepts libpmemobj's calls of libpmem. A program that links this and exports its symbols
// defines pmem_persist and the other functions itself, and libpmemobj, which is loaded later, finds
// these first. Writes inside a watched range are reported; all other calls go on to the real
// library.
#ifndef BUSHSTORE_TESTING_PMEM_CALLS_H_
#define BUSHSTORE_TESTING_PMEM_CALLS_H_

#include <cstddef>

namespace leveldb {
namespace testkit {

// Receives what libpmemobj does in the ranges of a listener. Called by any thread.
class PmemCallListener {
 public:
  virtual ~PmemCallListener() = default;

  // Returns whether the address belongs to a pool of this listener.
  virtual bool Watches(const void* p) = 0;
  // Reports pmem_flush, or the flushing part of another call; the stores have been made.
  virtual void LibraryFlushed(const void* p, size_t n) = 0;
  // Reports pmem_drain. It may concern any pool, so every listener receives it.
  virtual void LibraryDrained() = 0;
  // Reports pmem_msync.
  virtual void LibrarySynced(const void* p, size_t n) = 0;
  // Returns whether libpmemobj should believe that it is on persistent memory; it calls
  // pmem_is_pmem before the address of the pool is known.
  virtual bool PretendsPersistence() = 0;
};

// Start and stop reporting calls to the listener.
void ListenToPmemCalls(PmemCallListener* listener);
void StopListeningToPmemCalls(PmemCallListener* listener);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_PMEM_CALLS_H_
