#include "port/fault_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <mutex>

namespace leveldb {

namespace {

// A watched range. It is read by the signal handler, which can take no lock: `end` is set last and
// cleared first, so a reader that sees it sees the rest.
struct Watch {
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};  // 0: not in use
  std::atomic<uintptr_t> lost_address{0};
  std::atomic<bool> lost{false};
};

Watch watches[FaultGuard::kGuardsMax];
std::mutex watches_mutex;  // held to set a watch

struct sigaction previous;
uintptr_t page_bytes;

// The mark of a guard that is not installed.
const std::atomic<bool> never{false};

Watch* WatchOf(uintptr_t address) {
  for (Watch& watch : watches) {
    const uintptr_t end = watch.end.load(std::memory_order_acquire);
    if (address < end && address >= watch.begin.load(std::memory_order_relaxed)) return &watch;
  }
  return nullptr;
}

// Returns how many bytes are gone: the kernel tells it for memory errors, otherwise it is a page.
uintptr_t LostBytes(const siginfo_t& info) {
  constexpr int kLargestShift = 30;
#if defined(BUS_MCEERR_AR)
  if (info.si_code == BUS_MCEERR_AR && info.si_addr_lsb <= kLargestShift) {
    const uintptr_t lost = uintptr_t{1} << info.si_addr_lsb;
    if (lost > page_bytes) return lost;
  }
#endif
  return page_bytes;
}

constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
constexpr uintptr_t kLargestPage = uintptr_t{1} << 30;

uintptr_t LargerPage(uintptr_t bytes) {
  if (bytes < kHugePage) return kHugePage;
  return bytes < kLargestPage ? kLargestPage : kLargestPage + 1;
}

bool HasWhole(const Watch& watch, uintptr_t begin, uintptr_t bytes) {
  return begin >= watch.begin.load(std::memory_order_relaxed) &&
         begin + bytes <= watch.end.load(std::memory_order_relaxed);
}

// Uses the bare system call, which is sure to be allowed in a signal handler.
bool ReplaceWithZeros(uintptr_t address, uintptr_t bytes) {
  return syscall(SYS_mmap, address / bytes * bytes, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != -1;
}

// Returns whether the lost page has not been touched yet. An access will fault again.
bool IsAdvice(const siginfo_t& info) {
#if defined(BUS_MCEERR_AO)
  return info.si_code == BUS_MCEERR_AO;
#else
  return false;
#endif
}

// Returns whether a process has sent the signal, which then has no address.
bool IsSent(const siginfo_t& info) {
  return info.si_code <= 0;
}

// Returns true if the fault was in a watched page and has been handled.
bool Survive(const siginfo_t& info) {
  if (IsSent(info)) return false;
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  Watch* const watch = WatchOf(address);
  if (watch == nullptr) return false;
  if (IsAdvice(info)) return true;
  watch->lost_address.store(address, std::memory_order_relaxed);
  watch->lost.store(true, std::memory_order_release);
  // A DAX device is mapped in units that cannot be divided.
  for (uintptr_t bytes = LostBytes(info); bytes <= kLargestPage; bytes = LargerPage(bytes)) {
    if (HasWhole(*watch, address / bytes * bytes, bytes) && ReplaceWithZeros(address, bytes)) {
      return true;
    }
  }
  return false;
}

void PassOn(int signal, siginfo_t* info, void* context) {
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else if (!IsAdvice(*info) && !(IsSent(*info) && previous.sa_handler == SIG_IGN)) {
    // The instruction faults again, and this time takes the default action. A signal that was sent
    // does not come again by itself.
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    sigaction(SIGBUS, &standard, nullptr);
    if (IsSent(*info)) raise(signal);
  }
}

void HandleFault(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (!Survive(*info)) PassOn(signal, info, context);
  errno = saved_errno;
}

bool InstallHandler() {
  page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction ours = {};
  ours.sa_sigaction = &HandleFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&ours.sa_mask);
  return sigaction(SIGBUS, &ours, &previous) == 0;
}

}  // namespace

FaultGuard::FaultGuard(char* base, size_t bytes) : slot_(kGuardsMax) {
  static const bool handled = InstallHandler();
  if (!handled) return;
  const std::lock_guard<std::mutex> lock(watches_mutex);
  for (size_t i = 0; i < kGuardsMax; i++) {
    Watch& watch = watches[i];
    if (watch.end.load(std::memory_order_relaxed) != 0) continue;
    watch.lost.store(false, std::memory_order_relaxed);
    watch.lost_address.store(0, std::memory_order_relaxed);
    watch.begin.store(reinterpret_cast<uintptr_t>(base), std::memory_order_relaxed);
    watch.end.store(reinterpret_cast<uintptr_t>(base) + bytes, std::memory_order_release);
    slot_ = i;
    return;
  }
}

FaultGuard::~FaultGuard() {
  if (!installed()) return;
  const std::lock_guard<std::mutex> lock(watches_mutex);
  watches[slot_].end.store(0, std::memory_order_release);
}

uintptr_t FaultGuard::lost_address() const {
  return installed() ? watches[slot_].lost_address.load(std::memory_order_relaxed) : 0;
}

const std::atomic<bool>* FaultGuard::lost() const {
  return installed() ? &watches[slot_].lost : &never;
}

}  // namespace leveldb
