// The backend for files in the page cache: remembers what has been written, and msync brings it to
// the medium when asked.
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
  // Dirt is noted by chunks of so many bytes.
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
  // Notes that [p, p + n) has been stored to. Comes after the stores: noted before them, the chunk
  // could be written back and forgotten in between.
  void MarkDirty(const char* p, size_t n);

  // Forgets all dirt. False if there was none; otherwise all of it is in [*first, *end), chunks.
  bool TakeDirt(size_t* first, size_t* end) EXCLUSIVE_LOCKS_REQUIRED(sync_mutex_);

  char* const base_;
  const uint64_t reserved_bytes_;
  const size_t words_;
  const std::unique_ptr<std::atomic<uint64_t>[]> dirty_;  // a bit per chunk
  // Held through the msync: a thread whose dirt another has taken must wait for that one.
  Mutex sync_mutex_;
  Status failure_ GUARDED_BY(sync_mutex_);
  PersistTally tally_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_MSYNC_PERSIST_H_
