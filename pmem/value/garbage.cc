#include "pmem/value/garbage.h"

#include <algorithm>
#include <cstddef>

#include "pmem/value/value_layout.h"

namespace leveldb {

void GarbageTally::Add(const std::vector<ValueExtentUse>& uses) {
  for (const ValueExtentUse& use : uses) shown_.push_back({use.extent, use.live_bytes, 0});
}

std::vector<ExtentGarbage> GarbageTally::Extents() {
  std::sort(shown_.begin(), shown_.end(),
            [](const ExtentGarbage& a, const ExtentGarbage& b) { return a.extent < b.extent; });
  size_t kept = 0;
  for (const ExtentGarbage& next : shown_) {
    if (kept > 0 && shown_[kept - 1].extent == next.extent) {
      shown_[kept - 1].live_bytes += next.live_bytes;
    } else {
      shown_[kept++] = next;
    }
  }
  shown_.resize(kept);
  const double room = static_cast<double>(ValueRoom(extent_size_));
  for (ExtentGarbage& extent : shown_) {
    // Two trees may refer to the same value, the older one in vain, so live_bytes may exceed the
    // room.
    const double live_share = static_cast<double>(extent.live_bytes) / room;
    extent.garbage_share = std::max(0.0, 1.0 - live_share);
  }
  return shown_;
}

}  // namespace leveldb
