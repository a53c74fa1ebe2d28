// Cache: a bounded map from keys to values that are expensive to make again.
//
// Each entry has a charge. When the charges exceed the capacity, entries that nobody holds are
// dropped, the least recently used first. A caller that looks an entry up or inserts one holds it
// until Release: a held entry stays alive even after it was erased or replaced.
//
// Thread-safety: all members may be called from several threads at once; an implementation of
// one's own must provide that.

#ifndef LEVELDB_INCLUDE_CACHE_H_
#define LEVELDB_INCLUDE_CACHE_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/export.h"
#include "leveldb/slice.h"

namespace leveldb {

class LEVELDB_EXPORT Cache;

// A cache that drops the least recently used entries, with room for the given total charge.
// Capacity 0 keeps nothing beyond what callers hold. The caller deletes it.
LEVELDB_EXPORT Cache* NewLRUCache(size_t capacity);

class LEVELDB_EXPORT Cache {
 public:
  Cache() = default;

  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // Calls the deleter of every entry left. No handle may be outstanding.
  virtual ~Cache();

  // Names an entry that its holder keeps alive; opaque.
  struct Handle {};

  // Puts value under key with the given charge, in place of an entry of the same key if there is
  // one. The key's bytes are copied; the value now belongs to the cache, which calls
  // deleter(key, value) once nobody needs it. The result is held: Release it.
  virtual Handle* Insert(const Slice& key, void* value, size_t charge,
                         void (*deleter)(const Slice& key, void* value)) = 0;

  // The entry of key, held (Release it), or null.
  virtual Handle* Lookup(const Slice& key) = 0;

  // Gives up a handle. REQUIRES: it came from this cache and was not released before.
  virtual void Release(Handle* handle) = 0;

  // The value behind a handle that is held.
  virtual void* Value(Handle* handle) = 0;

  // Forgets the entry of key, if any. It dies when its last holder releases it.
  virtual void Erase(const Slice& key) = 0;

  // A number that no earlier call on this cache returned. Users that share the cache put it
  // before their keys to keep out of each other's way.
  virtual uint64_t NewId() = 0;

  // Drops all entries that nobody holds. The default does nothing.
  virtual void Prune();

  // The charges of everything kept here, together.
  virtual size_t TotalCharge() const = 0;

 private:
  // Not used. It keeps the place that subclasses of programs built earlier expect.
  struct Rep;
  Rep* rep_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_CACHE_H_
