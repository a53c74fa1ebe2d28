// CacheLinePersist: the persist backend for memory, which stores and flushes cache lines without
// system calls.
#ifndef BUSHSTORE_PMEM_MEDIA_CACHE_LINE_PERSIST_H_
#define BUSHSTORE_PMEM_MEDIA_CACHE_LINE_PERSIST_H_

#include <cstddef>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/cache_lines.h"
#include "pmem/media/persist.h"
#include "pmem/media/persist_tally.h"

namespace leveldb {

class CacheLinePersist final : public Persist {
 public:
  // `emulated` means that the memory does not survive a power failure. REQUIRES: both methods are
  // supported.
  CacheLinePersist(bool emulated, FlushMethod flush, CopyMethod copy);

  // Stores whole lines by the copy method (around the cache, unless it is kPlain). Stores the
  // partial lines at both ends of the copy through the cache and flushes them.
  void Copy(void* to, const void* from, size_t n) override;
  void Flush(const void* p, size_t n) override;
  void Fence() override;
  Status Sync() override;
  bool SurvivesPowerLoss() const override { return !emulated_; }
  std::string Name() const override;
  PersistCounts counts() const override { return tally_.Sum(); }

 private:
  const bool emulated_;
  const FlushMethod flush_method_;
  const CopyMethod copy_method_;
  const FlushFunction flush_lines_;
  const CopyFunction copy_lines_;
  PersistTally tally_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_CACHE_LINE_PERSIST_H_
