#include "pmem/media/cache_line_persist.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace leveldb {

namespace {

constexpr uintptr_t kLineMask = kCacheLineBytes - 1;

const char* LineOf(const char* p) {
  return p - (reinterpret_cast<uintptr_t>(p) & kLineMask);
}

}  // namespace

CacheLinePersist::CacheLinePersist(bool emulated, FlushMethod flush, CopyMethod copy)
    : emulated_(emulated),
      flush_method_(flush),
      copy_method_(copy),
      flush_lines_(FlushFunctionOf(flush)),
      copy_lines_(CopyFunctionOf(copy)) {
  assert(IsSupported(flush));
  assert(IsSupported(copy));
}

void CacheLinePersist::Copy(void* to, const void* from, size_t n) {
  tally_.Copied(n);
  char* target = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  const size_t into_line = reinterpret_cast<uintptr_t>(target) & kLineMask;
  if (into_line != 0) {
    const size_t head = std::min(kCacheLineBytes - into_line, n);
    memcpy(target, source, head);
    flush_lines_(target - into_line, 1);
    target += head;
    source += head;
    n -= head;
  }
  const size_t lines = n / kCacheLineBytes;
  if (lines > 0) {
    copy_lines_(target, source, lines);
    if (copy_method_ == CopyMethod::kPlain) flush_lines_(target, lines);
    target += lines * kCacheLineBytes;
    source += lines * kCacheLineBytes;
    n -= lines * kCacheLineBytes;
  }
  if (n > 0) {
    memcpy(target, source, n);
    flush_lines_(target, 1);
  }
}

void CacheLinePersist::Flush(const void* p, size_t n) {
  if (flush_method_ == FlushMethod::kNone) return;
  tally_.Flushed();
  if (n == 0) return;
  const char* const begin = static_cast<const char*>(p);
  const char* const first = LineOf(begin);
  const char* const last = LineOf(begin + n - 1);
  flush_lines_(first, static_cast<size_t>(last - first) / kCacheLineBytes + 1);
}

void CacheLinePersist::Fence() {
  tally_.Fenced();
  StoreFence();
}

Status CacheLinePersist::Sync() {
  tally_.Synced();
  // Other threads have fenced what they copied before this call, or this thread flushes it: only a
  // fence of this thread is missing.
  StoreFence();
  return Status::OK();
}

std::string CacheLinePersist::Name() const {
  return std::string(NameOf(flush_method_)) + ", " + NameOf(copy_method_) + " copies" +
         (emulated_ ? ", emulated" : "");
}

}  // namespace leveldb
