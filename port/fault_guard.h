// FaultGuard lets a process survive the loss of mapped memory: an access to a page of persistent
// memory that went bad, or of a file that was cut short under its mapping, raises SIGBUS.
//
// The first guard installs a handler for the whole process. It acts only on addresses that a guard
// watches: it replaces the page by zeros and marks the guard, and the program goes on. All other
// faults, and signals that a process has sent, go to the handler that was installed before, or take
// their default action if there was none. Readers of guarded memory must check the mark before they
// trust what they have read.
//
// The kernel also gives notice of bad memory that has not been accessed yet (BUS_MCEERR_AO),
// anywhere in the process. That is advice: an access that needs the memory faults by itself. A
// notice of watched memory is ignored. A notice of other memory is passed to the handler that was
// installed before; without one it is ignored, because the default action would end a process that
// has lost nothing it uses.
#ifndef BUSHSTORE_PORT_FAULT_GUARD_H_
#define BUSHSTORE_PORT_FAULT_GUARD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace leveldb {

// FaultGuard is thread-safe.
class FaultGuard {
 public:
  // The most ranges that can be watched at a time.
  static constexpr size_t kGuardsMax = 256;

  // Watches base[0, bytes) until it is destroyed. The guard is not installed if there are too many
  // guards.
  FaultGuard(char* base, size_t bytes);
  ~FaultGuard();

  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;

  bool installed() const { return slot_ < kGuardsMax; }

  // Returns the mark: whether a page has been lost. It stays true for the lifetime of the guard.
  const std::atomic<bool>* lost() const;

  // Returns the address of the last access that found a page lost; 0 if there was none.
  uintptr_t lost_address() const;

 private:
  size_t slot_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_FAULT_GUARD_H_
