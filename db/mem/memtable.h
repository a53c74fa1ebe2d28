// MemTable holds the newest writes, in memory and in order, until they are flushed.
//
// A memtable has two parts, so that two threads can write at the same time without contending for
// cache lines. Each part is in order by itself, and a key may have versions in both: reads search
// both of them. If only one thread writes at a time, only one part is ever used; an open that
// replays much fills both.
#ifndef BUSHSTORE_DB_MEM_MEMTABLE_H_
#define BUSHSTORE_DB_MEM_MEMTABLE_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "db/mem/memtable_filter.h"
#include "db/mem/memtable_index.h"
#include "entry/internal_key.h"
#include "iterator/internal_iterator.h"
#include "leveldb/slice.h"
#include "port/cache_line.h"
#include "util/arena.h"

namespace leveldb {

// Shared through std::shared_ptr. One thread at a time may call Add for each part; everything else
// may be called from any thread at any time, unless its comment says otherwise.
class MemTable {
 public:
  static constexpr size_t kParts = 2;

  // `comparator` is not owned and must outlive the memtable.
  explicit MemTable(const InternalKeyComparator* comparator);
  MemTable(const MemTable&) = delete;
  MemTable& operator=(const MemTable&) = delete;

  // Adds one version of a key to a part. Copies both slices.
  void Add(SequenceNumber sequence, ValueType type, const Slice& key, const Slice& value,
           size_t part = 0) {
    InsertHint hint;
    Add(sequence, type, key, value, part, &hint);
  }

  // Three-phase Add: lets the caller overlap memory latency with other work. Begin and Advance read
  // what is likely to be in the cache, and prefetch what the next phase reads. A hint serves one
  // entry after the other; a hint that has not begun serves any entry. REQUIRES: as for Add; no
  // newer version of the key is in the part; nothing else is added to the part between the phases,
  // and the bytes of the key stay valid until Advance has returned.
  struct InsertHint {
    MemtableIndex::InsertHint index_hint;
    uint64_t hash = 0;
    bool has_hash = false;
  };
  void Begin(const Slice& key, size_t part, InsertHint* hint) const {
    parts_[part].Begin(*comparator_, key, hint);
  }
  void Advance(size_t part, InsertHint* hint) const {
    parts_[part].index.Advance(&hint->index_hint);
  }
  void Add(SequenceNumber sequence, ValueType type, const Slice& key, const Slice& value,
           size_t part, InsertHint* hint) {
    if (parts_[part].num_entries == 0) used_parts_.fetch_or(1u << part, std::memory_order_relaxed);
    parts_[part].Add(*comparator_, sequence, type, key, value, hint);
  }

  // Does in advance what may take long when entries of `bytes` bytes, or a little more, are added
  // to the part. REQUIRES: as for Add.
  void Prepare(size_t bytes, size_t part) {
    constexpr size_t kNodes = 4096;  // that insertions may split
    constexpr size_t kMost = size_t{256} << 10;
    parts_[part].arena.Prepare(std::min(bytes + kNodes, kMost));
  }

  // Prefetches the memory by which Find tells that the key is absent. Thread-safe.
  void Prefetch(const LookupKey& key) const {
    if (!comparator_->is_bytewise()) return;
    for (size_t part = 0; part < kParts; part++) {
      if (HasUsed(part)) parts_[part].filter.Prefetch(key.hash());
    }
  }

  // Finds the newest version visible to `key`. Returns true if there is one, which may be a
  // tombstone; `*value` then points into the memtable (for kTypeValueRef, to the reference).
  bool Find(const LookupKey& key, ValueType* type, Slice* value) const;

  // Loads into this processor's cache what adding `key` to the part reads.
  void PrefetchForAdd(const Slice& key, size_t part) const {
    parts_[part].index.PrefetchForInsert(key);
  }

  // Appends an iterator over internal keys for each part that is not empty. The caller deletes
  // them, and keeps the memtable alive until then. The iterators may miss entries that are added
  // later.
  void AppendIterators(std::vector<InternalIterator*>* iterators) const;

  // Returns the bytes of memory held by a part or by all parts.
  size_t MemoryUsage(size_t part) const { return parts_[part].arena.MemoryUsage(); }
  size_t MemoryUsage() const {
    return Sum([this](size_t part) { return MemoryUsage(part); });
  }

  // Returns the bytes of all keys and values added, including values that are only referred to.
  size_t UserBytes(size_t part) const {
    return parts_[part].user_bytes.load(std::memory_order_relaxed);
  }
  size_t UserBytes() const {
    return Sum([this](size_t part) { return UserBytes(part); });
  }

  // Returns approximately how many of the user bytes belong to entries before `internal_key`. The
  // result does not decrease for a greater key, if nothing is added meanwhile.
  uint64_t ApproximateOffset(const Slice& internal_key) const {
    return Sum([&](size_t part) {
      return static_cast<size_t>(static_cast<double>(UserBytes(part)) *
                                 parts_[part].index.ShareBefore(internal_key));
    });
  }

  // Keeps `resource`, which entries refer to, until the memtable is destroyed. REQUIRES: no other
  // thread calls Add or Hold.
  void Hold(std::shared_ptr<const void> resource) { held_.push_back(std::move(resource)); }

  const InternalKeyComparator& comparator() const { return *comparator_; }

  bool empty() const;
  // REQUIRES: no thread calls Add.
  uint64_t num_entries() const {
    return Sum([this](size_t part) { return parts_[part].num_entries; });
  }

 private:
  struct alignas(kApartBytes) Part {
    explicit Part(const InternalKeyComparator* comparator)
        : index(comparator, &arena), filter(&arena) {}

    void PrefetchFilter(const InternalKeyComparator& comparator, const Slice& key,
                        InsertHint* hint) const;
    void Begin(const InternalKeyComparator& comparator, const Slice& key, InsertHint* hint) const;
    void Add(const InternalKeyComparator& comparator, SequenceNumber sequence, ValueType type,
             const Slice& key, const Slice& value, InsertHint* hint);

    // First what each entry changes, and then, in separate cache lines, what lookups read.
    Arena arena;
    uint64_t num_entries = 0;
    std::atomic<size_t> user_bytes{0};
    alignas(kApartBytes) MemtableIndex index;
    MemtableFilter filter;  // of user keys; unused if different bytes may be the same key
  };

  template <class OfPart>
  static size_t Sum(const OfPart& of_part) {
    size_t sum = 0;
    for (size_t part = 0; part < kParts; part++) sum += of_part(part);
    return sum;
  }

  bool HasUsed(size_t part) const {
    return (used_parts_.load(std::memory_order_relaxed) >> part & 1) != 0;
  }
  const char* FindIn(const Part& part, const LookupKey& key) const;

  const InternalKeyComparator* const comparator_;
  std::atomic<unsigned> used_parts_{0};  // one bit each; set before an entry can be seen
  std::array<Part, kParts> parts_;
  std::vector<std::shared_ptr<const void>> held_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_MEMTABLE_H_
