// Cache: a bounded map from keys to values that are expensive to compute again.
//
// Each entry has a charge. When the sum of the charges exceeds the capacity, entries without
// outstanding handles are evicted in least-recently-used order. Insert and Lookup return a handle
// that pins the entry until Release: a pinned entry stays valid even after it was erased or
// replaced.
//
// Thread-safety: all members may be called from several threads at once; a custom implementation
// must also provide that.

#ifndef LEVELDB_INCLUDE_CACHE_H_
#define LEVELDB_INCLUDE_CACHE_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/export.h"
#include "leveldb/slice.h"

namespace leveldb {

class LEVELDB_EXPORT Cache;

// Returns a cache with least-recently-used eviction and room for the given total charge. With
// capacity 0 it keeps only entries with outstanding handles. The caller deletes the cache.
LEVELDB_EXPORT Cache* NewLRUCache(size_t capacity);

class LEVELDB_EXPORT Cache {
 public:
  Cache() = default;

  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // Calls the deleter of every remaining entry. REQUIRES: no handle is outstanding.
  virtual ~Cache();

  // An opaque handle of a pinned entry.
  struct Handle {};

  // Inserts a mapping from key to value with the given charge, and replaces an existing entry of
  // the same key. The key's bytes are copied. The cache takes ownership of the value and calls
  // deleter(key, value) once it is no longer needed. Returns a handle, which the caller must pass
  // to Release.
  virtual Handle* Insert(const Slice& key, void* value, size_t charge,
                         void (*deleter)(const Slice& key, void* value)) = 0;

  // Returns a handle of the entry of key, which the caller must pass to Release, or null if there
  // is no entry.
  virtual Handle* Lookup(const Slice& key) = 0;

  // Releases a handle. REQUIRES: it was returned by this cache and was not released before.
  virtual void Release(Handle* handle) = 0;

  // Returns the value of an entry. REQUIRES: the handle has not been released.
  virtual void* Value(Handle* handle) = 0;

  // Removes the entry of key, if any. The value is deleted once its last handle is released.
  virtual void Erase(const Slice& key) = 0;

  // Returns a number that no earlier call on this cache returned. Clients that share the cache
  // prefix their keys with it to keep their key spaces apart.
  virtual uint64_t NewId() = 0;

  // Removes all entries without outstanding handles. The default implementation does nothing.
  virtual void Prune();

  // Returns the sum of the charges of all entries in the cache.
  virtual size_t TotalCharge() const = 0;

 private:
  // Unused. Keeps the object layout that subclasses in programs built earlier expect.
  struct Rep;
  Rep* rep_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_CACHE_H_
