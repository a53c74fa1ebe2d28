// MsyncPersist: the persist backend for files in the page cache. It records which chunks have been
// written, and Sync writes them to the medium with msync.
#ifndef BUSHSTORE_PMEM_MEDIA_MSYNC_PERSIST_H_
#define BUSHSTORE_PMEM_MEDIA_MSYNC_PERSIST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/persist.h"
#include "pmem/media/persist_tally.h"
#include "port/mutex.h"

namespace leveldb {

class MsyncPersist final : public Persist {
 public:
  // Dirty bytes are tracked in chunks of this size.
  static constexpr size_t kChunkBytes = 64 << 10;

  MsyncPersist(char* base, uint64_t reserved_bytes);

  void Copy(void* to, const void* from, size_t n) override;
  void Flush(const void* p, size_t n) override;
  void Fence() override;
  Status Sync() override;
  bool SurvivesPowerLoss() const override { return false; }
  std::string Name() const override { return "msync"; }
  PersistCounts counts() const override { return tally_.Sum(); }

 private:
  // Records that [p, p + n) has been stored to. Must come after the stores: if the chunk were
  // marked before them, it could be written back and its mark cleared in between.
  void MarkDirty(const char* p, size_t n);

  // Clears all marks. Returns false if there were none; otherwise all dirty chunks are in [*first,
  // *end).
  bool TakeDirt(size_t* first, size_t* end) EXCLUSIVE_LOCKS_REQUIRED(sync_mutex_);

  char* const base_;
  const uint64_t reserved_bytes_;
  const size_t words_;
  const std::unique_ptr<std::atomic<uint64_t>[]> dirty_;  // a bit per chunk
  // Held during the msync, because a thread whose marks another thread has taken must wait for that
  // thread's msync.
  Mutex sync_mutex_;
  Status failure_ GUARDED_BY(sync_mutex_);
  PersistTally tally_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_MSYNC_PERSIST_H_
