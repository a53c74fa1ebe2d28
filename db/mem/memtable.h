// The newest writes, in memory and in order, until they are flushed.
#ifndef BUSHSTORE_DB_MEM_MEMTABLE_H_
#define BUSHSTORE_DB_MEM_MEMTABLE_H_

#include <string>

#include "db/mem/memtable_index.h"
#include "entry/internal_key.h"
#include "leveldb/iterator.h"
#include "leveldb/status.h"
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

  // Finds the newest version visible to `key`. Returns true if there is one: a value, which is
  // copied to `*value` with `*status` untouched, or a tombstone, which sets `*status` to NotFound.
  bool Get(const LookupKey& key, std::string* value, Status* status) const;

  // An iterator over internal keys. The caller deletes it, and keeps the memtable alive until then.
  Iterator* NewIterator() const;

  // Bytes of memory held.
  size_t MemoryUsage() const { return arena_.MemoryUsage(); }

  bool empty() const { return num_entries_ == 0; }       // the writing thread, or when full
  uint64_t num_entries() const { return num_entries_; }  // likewise

 private:
  const InternalKeyComparator* const comparator_;
  Arena arena_;
  MemtableIndex index_;
  uint64_t num_entries_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_MEMTABLE_H_
