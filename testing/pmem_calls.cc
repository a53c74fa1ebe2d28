#include "testing/pmem_calls.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace leveldb {
namespace testkit {

namespace {

// The flags of pmem_memcpy that matter here, as libpmem.h has them.
constexpr unsigned kNoDrain = 1u << 0;
constexpr unsigned kNoFlush = 1u << 5;

struct Listeners {
  std::shared_mutex mutex;
  std::vector<PmemCallListener*> all;
};

Listeners& TheListeners() {
  static Listeners listeners;
  return listeners;
}

// Calls `tell` with the listener that watches the address. Returns false if there is none.
bool Tell(const void* p, const std::function<void(PmemCallListener*)>& tell) {
  Listeners& listeners = TheListeners();
  PmemCallListener* watcher = nullptr;
  {
    std::shared_lock lock(listeners.mutex);
    for (PmemCallListener* const listener : listeners.all) {
      if (listener->Watches(p)) watcher = listener;
    }
  }
  if (watcher != nullptr) tell(watcher);
  return watcher != nullptr;
}

std::vector<PmemCallListener*> AllListeners() {
  Listeners& listeners = TheListeners();
  std::shared_lock lock(listeners.mutex);
  return listeners.all;
}

// Returns the function of that name in the real libpmem.
template <typename Function>
Function Real(const char* name) {
  static void* const library = dlopen("libpmem.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto function =
      library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    std::fprintf(stderr, "libpmem.so.1 has no %s\n", name);
    std::abort();
  }
  return function;
}

void TellDrained() {
  for (PmemCallListener* const listener : AllListeners()) listener->LibraryDrained();
}

bool TellFlushed(const void* p, size_t n) {
  return Tell(p, [p, n](PmemCallListener* listener) { listener->LibraryFlushed(p, n); });
}

// Reports a store to a watched range with these flags.
void TellStored(const void* p, size_t n, unsigned flags) {
  if ((flags & kNoFlush) != 0) return;
  TellFlushed(p, n);
  if ((flags & kNoDrain) == 0) TellDrained();
}

bool IsWatched(const void* p) {
  return Tell(p, [](PmemCallListener*) {});
}

}  // namespace

void ListenToPmemCalls(PmemCallListener* listener) {
  Listeners& listeners = TheListeners();
  std::unique_lock lock(listeners.mutex);
  listeners.all.push_back(listener);
}

void StopListeningToPmemCalls(PmemCallListener* listener) {
  Listeners& listeners = TheListeners();
  std::unique_lock lock(listeners.mutex);
  std::erase(listeners.all, listener);
}

}  // namespace testkit
}  // namespace leveldb

// The intercepted functions.

#define CAUGHT extern "C" __attribute__((visibility("default"), used))

using leveldb::testkit::PmemCallListener;

CAUGHT int pmem_is_pmem(const void* p, size_t n) {
  for (PmemCallListener* const listener : leveldb::testkit::AllListeners()) {
    if (listener->PretendsPersistence()) return 1;
  }
  return leveldb::testkit::Real<int (*)(const void*, size_t)>("pmem_is_pmem")(p, n);
}

CAUGHT void pmem_flush(const void* p, size_t n) {
  if (leveldb::testkit::TellFlushed(p, n)) return;
  leveldb::testkit::Real<void (*)(const void*, size_t)>("pmem_flush")(p, n);
}

CAUGHT void pmem_deep_flush(const void* p, size_t n) {
  if (leveldb::testkit::TellFlushed(p, n)) return;
  leveldb::testkit::Real<void (*)(const void*, size_t)>("pmem_deep_flush")(p, n);
}

CAUGHT void pmem_drain() {
  leveldb::testkit::TellDrained();
  leveldb::testkit::Real<void (*)()>("pmem_drain")();
}

CAUGHT void pmem_persist(const void* p, size_t n) {
  pmem_flush(p, n);
  pmem_drain();
}

CAUGHT int pmem_msync(const void* p, size_t n) {
  if (leveldb::testkit::Tell(
          p, [p, n](PmemCallListener* listener) { listener->LibrarySynced(p, n); })) {
    return 0;
  }
  return leveldb::testkit::Real<int (*)(const void*, size_t)>("pmem_msync")(p, n);
}

CAUGHT void* pmem_memmove(void* to, const void* from, size_t n, unsigned flags) {
  if (!leveldb::testkit::IsWatched(to)) {
    using Function = void* (*)(void*, const void*, size_t, unsigned);
    return leveldb::testkit::Real<Function>("pmem_memmove")(to, from, n, flags);
  }
  memmove(to, from, n);
  leveldb::testkit::TellStored(to, n, flags);
  return to;
}

CAUGHT void* pmem_memcpy(void* to, const void* from, size_t n, unsigned flags) {
  return pmem_memmove(to, from, n, flags);
}

CAUGHT void* pmem_memset(void* to, int byte, size_t n, unsigned flags) {
  if (!leveldb::testkit::IsWatched(to)) {
    using Function = void* (*)(void*, int, size_t, unsigned);
    return leveldb::testkit::Real<Function>("pmem_memset")(to, byte, n, flags);
  }
  memset(to, byte, n);
  leveldb::testkit::TellStored(to, n, flags);
  return to;
}
