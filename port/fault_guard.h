// Surviving the loss of mapped memory: a page of persistent memory that went bad, or a file that
// was cut short under its mapping, is a SIGBUS for whoever touches it.
//
// The first guard installs a handler for the whole process. It acts only on addresses that a guard
// watches: the page is replaced by zeros, the guard is marked, and the program goes on. All other
// faults, and signals that a process has sent, go to the handler that was there before, or do what
// they would do without one. Whoever reads guarded memory looks at the mark before believing what
// was read.
//
// The kernel also gives notice of bad memory that nobody has touched yet (BUS_MCEERR_AO), wherever
// it is in the process. That is advice: an access that needs the memory faults by itself. Of
// watched memory nothing is done then. Of other memory a handler that was there before is told;
// without one the notice is passed over, because the default action would end a process that has
// lost nothing it uses.
#ifndef BUSHSTORE_PORT_FAULT_GUARD_H_
#define BUSHSTORE_PORT_FAULT_GUARD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace leveldb {

// Thread-safe.
class FaultGuard {
 public:
  // So many ranges can be watched at a time.
  static constexpr size_t kGuardsMax = 256;

  // Watches base[0, bytes) until it is destroyed. Not installed if there are too many guards.
  FaultGuard(char* base, size_t bytes);
  ~FaultGuard();

  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;

  bool installed() const { return slot_ < kGuardsMax; }

  // Whether a page has been lost. Never becomes false again as long as the guard lives.
  const std::atomic<bool>* lost() const;

  // The address of the last access that found a page lost; 0 if none has.
  uintptr_t lost_address() const;

 private:
  size_t slot_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_FAULT_GUARD_H_
