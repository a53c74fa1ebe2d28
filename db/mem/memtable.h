// The newest writes, in memory and in order, until they are flushed.
#ifndef BUSHSTORE_DB_MEM_MEMTABLE_H_
#define BUSHSTORE_DB_MEM_MEMTABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "db/mem/memtable_filter.h"
#include "db/mem/memtable_index.h"
#include "entry/internal_key.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "util/arena.h"

namespace leveldb {

// Shared through std::shared_ptr. One thread at a time may call Add; everything else may be called
// from any thread at any time.
class MemTable {
 public:
  // `comparator` is not owned and must outlive the memtable.
  explicit MemTable(const InternalKeyComparator* comparator);
  MemTable(const MemTable&) = delete;
  MemTable& operator=(const MemTable&) = delete;

  // Adds one version of a key. Copies both slices.
  void Add(SequenceNumber sequence, ValueType type, const Slice& key, const Slice& value);

  // Finds the newest version visible to `key`. Returns true if there is one, which may be a
  // tombstone; `*value` then points into the memtable: of kTypeValueRef it is the reference.
  bool Find(const LookupKey& key, ValueType* type, Slice* value) const;

  // Brings into this processor's cache what adding `key` would look at.
  void Approach(const Slice& key) const { index_.Approach(key); }

  // An iterator over internal keys. The caller deletes it, and keeps the memtable alive until then.
  Iterator* NewIterator() const;

  // Bytes of memory held.
  size_t MemoryUsage() const { return arena_.MemoryUsage(); }

  // Bytes of all keys and values added, those of values that are referred to included.
  size_t UserBytes() const { return user_bytes_.load(std::memory_order_relaxed); }

  // Keeps `resource` until the memtable goes: what its entries refer to. REQUIRES: like Add.
  void Hold(std::shared_ptr<const void> resource) { held_.push_back(std::move(resource)); }

  bool empty() const { return index_.empty(); }
  uint64_t num_entries() const { return num_entries_; }  // the writing thread, or when full

 private:
  const InternalKeyComparator* const comparator_;
  Arena arena_;
  MemtableIndex index_;
  MemtableFilter filter_;  // of user keys; empty where different bytes may be the same key
  uint64_t num_entries_ = 0;
  std::atomic<size_t> user_bytes_{0};
  std::vector<std::shared_ptr<const void>> held_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_MEMTABLE_H_
