#include "pmem/media/msync_persist.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "util/posix_io.h"

namespace leveldb {

namespace {

constexpr size_t kBitsPerWord = 64;

}  // namespace

MsyncPersist::MsyncPersist(char* base, uint64_t reserved_bytes)
    : base_(base),
      reserved_bytes_(reserved_bytes),
      words_(reserved_bytes / kChunkBytes / kBitsPerWord + 1),
      dirty_(new std::atomic<uint64_t>[words_]()) {}

void MsyncPersist::MarkDirty(const char* p, size_t n) {
  assert(p >= base_ && p + n <= base_ + reserved_bytes_);
  if (n == 0) return;
  const size_t first = static_cast<size_t>(p - base_) / kChunkBytes;
  const size_t last = static_cast<size_t>(p - base_ + n - 1) / kChunkBytes;
  for (size_t chunk = first; chunk <= last; chunk++) {
    dirty_[chunk / kBitsPerWord].fetch_or(uint64_t{1} << (chunk % kBitsPerWord));
  }
}

void MsyncPersist::Copy(void* to, const void* from, size_t n) {
  tally_.Copied(n);
  if (n == 0) return;
  memcpy(to, from, n);
  MarkDirty(static_cast<const char*>(to), n);
}

void MsyncPersist::Flush(const void* p, size_t n) {
  tally_.Flushed();
  MarkDirty(static_cast<const char*>(p), n);
}

void MsyncPersist::Fence() {
  // The kernel sees stores as other threads do, so it is enough that the compiler has emitted them.
  tally_.Fenced();
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

bool MsyncPersist::TakeDirt(size_t* first, size_t* end) {
  bool any = false;
  for (size_t i = 0; i < words_; i++) {
    if (dirty_[i].load(std::memory_order_relaxed) == 0) continue;
    const uint64_t bits = dirty_[i].exchange(0);
    if (!any) *first = i * kBitsPerWord + static_cast<size_t>(std::countr_zero(bits));
    *end = i * kBitsPerWord + static_cast<size_t>(std::bit_width(bits));
    any = true;
  }
  return any;
}

// The kernel knows which pages are dirty, so one call from the first dirty chunk to the last writes
// no more than one call for each chunk would, and waits for the file system's journal only once.
Status MsyncPersist::Sync() {
  tally_.Synced();
  MutexLock lock(&sync_mutex_);
  if (!failure_.ok()) return failure_;
  size_t first = 0;
  size_t end = 0;
  if (!TakeDirt(&first, &end)) return Status::OK();
  const uint64_t begin_byte = first * kChunkBytes;
  const uint64_t end_byte = std::min<uint64_t>(end * kChunkBytes, reserved_bytes_);
  if (msync(base_ + begin_byte, end_byte - begin_byte, MS_SYNC) != 0) {
    failure_ = PosixError("msync of the pool", errno);
  }
  return failure_;
}

}  // namespace leveldb
