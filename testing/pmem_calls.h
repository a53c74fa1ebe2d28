// libpmemobj's calls of libpmem, caught: a program that links this and exports its symbols defines
// pmem_persist and the rest itself, and libpmemobj, loaded later, finds these first. What is
// written inside a watched range is reported; everything else goes on to the real library.
#ifndef BUSHSTORE_TESTING_PMEM_CALLS_H_
#define BUSHSTORE_TESTING_PMEM_CALLS_H_

#include <cstddef>

namespace leveldb {
namespace testkit {

// Hears of what libpmemobj does in its ranges. Called by any thread.
class PmemCallListener {
 public:
  virtual ~PmemCallListener() = default;

  // Whether the address belongs to a pool of this listener.
  virtual bool Watches(const void* p) = 0;
  // pmem_flush, or the flushing part of another call; the stores have been made.
  virtual void LibraryFlushed(const void* p, size_t n) = 0;
  // pmem_drain. Of any pool, so every listener hears it.
  virtual void LibraryDrained() = 0;
  // pmem_msync.
  virtual void LibrarySynced(const void* p, size_t n) = 0;
  // Whether libpmemobj is to believe that it is on persistent memory; it asks before it tells of
  // the pool.
  virtual bool PretendsPersistence() = 0;
};

// From the one call to the other, the listener hears.
void ListenToPmemCalls(PmemCallListener* listener);
void StopListeningToPmemCalls(PmemCallListener* listener);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_PMEM_CALLS_H_
