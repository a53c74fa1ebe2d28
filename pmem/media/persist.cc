#include "pmem/media/persist.h"

#include "pmem/media/cache_line_persist.h"
#include "pmem/media/cache_lines.h"
#include "pmem/media/msync_persist.h"

namespace leveldb {

std::unique_ptr<Persist> NewPersist(const PersistTarget& target) {
  if (target.medium.kind == MediumKind::kPageCache) {
    return std::make_unique<MsyncPersist>(target.base, target.reserved_bytes);
  }
  return std::make_unique<CacheLinePersist>(target.medium.kind == MediumKind::kEmulated,
                                            target.medium.flush, BestCopyMethod());
}

}  // namespace leveldb
