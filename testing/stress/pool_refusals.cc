#include "testing/stress/pool_refusals.h"

#include <atomic>

#include "leveldb/status.h"
#include "pmem/media/extents.h"

namespace leveldb {
namespace testkit {

#define BUSHSTORE_RESERVE "_ZN7leveldb7Extents7ReserveEjPm"

// A member function as the linker sees it: the object comes first.
Status WrappedReserve(Extents* extents, uint32_t count,
                      PoolOffset* run) __asm__("__wrap_" BUSHSTORE_RESERVE);
Status RealReserve(Extents* extents, uint32_t count,
                   PoolOffset* run) __asm__("__real_" BUSHSTORE_RESERVE);

#undef BUSHSTORE_RESERVE

namespace {

std::atomic<bool> armed{false};
std::atomic<bool> lasts{false};
std::atomic<int64_t> left{0};
std::atomic<uint64_t> refusals{0};

bool IsRefused() {
  if (!armed) {
    return false;
  }
  const int64_t before = left.fetch_sub(1);
  return before == 1 || (before < 1 && lasts);
}

}  // namespace

Status WrappedReserve(Extents* extents, uint32_t count, PoolOffset* run) {
  if (IsRefused()) {
    ++refusals;
    return Status::IOError("pool", "full, says the test");
  }
  return RealReserve(extents, count, run);
}

void RefuseReservations(uint64_t at, bool lasting) {
  left = static_cast<int64_t>(at);
  lasts = lasting;
  armed = true;
}

void StopRefusing() {
  armed = false;
}

uint64_t Refusals() {
  return refusals.load();
}

}  // namespace testkit
}  // namespace leveldb
