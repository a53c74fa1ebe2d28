#include "db/mem/memtable.h"

#include <cassert>

#include "entry/value_ref.h"
#include "util/copy_short.h"
#include "util/hash64.h"

namespace leveldb {

MemTable::MemTable(const InternalKeyComparator* comparator)
    : comparator_(comparator), parts_{{Part(comparator), Part(comparator)}} {}

// Prefetches the filter's word, which arrives while the entry is copied and inserted into the
// index.
void MemTable::Part::PrefetchFilter(const InternalKeyComparator& comparator, const Slice& key,
                                    InsertHint* hint) const {
  if (!comparator.is_bytewise()) return;
  hint->hash = HashKey64(key);
  hint->has_hash = true;
  filter.PrefetchForAdd(hint->hash);
}

void MemTable::Part::Begin(const InternalKeyComparator& comparator, const Slice& key,
                           InsertHint* hint) const {
  PrefetchFilter(comparator, key, hint);
  index.Begin(key, &hint->index_hint);
}

void MemTable::Part::Add(const InternalKeyComparator& comparator, SequenceNumber sequence,
                         ValueType type, const Slice& key, const Slice& value, InsertHint* hint) {
  assert(!hint->has_hash || hint->hash == HashKey64(key));
  if (!hint->has_hash) PrefetchFilter(comparator, key, hint);
  char* const entry = arena.Allocate(memtable_entry::Size(key.size(), value.size()));
  char* p = entry;
  StoreFixed32(p, static_cast<uint32_t>(key.size()));
  StoreFixed32(p + 4, static_cast<uint32_t>(value.size()));
  p += memtable_entry::kHeaderSize;
  CopyShort(p, key.data(), key.size());
  p += key.size();
  const uint64_t trailer = PackTrailer(sequence, type);
  StoreFixed64(p, trailer);
  p += kTrailerSize;
  CopyShort(p, value.data(), value.size());
  index.Insert(entry, key, trailer, &hint->index_hint);
  if (hint->has_hash) filter.Add(hint->hash, num_entries);
  hint->has_hash = false;
  num_entries++;
  const size_t value_size = type == kTypeValueRef ? ValueRefLength(value) : value.size();
  user_bytes.store(user_bytes.load(std::memory_order_relaxed) + key.size() + value_size,
                   std::memory_order_relaxed);
}

bool MemTable::empty() const {
  return used_parts_.load(std::memory_order_relaxed) == 0;
}

// Returns the newest version in a part that is visible to `key`, or nullptr.
const char* MemTable::FindIn(const Part& part, const LookupKey& key) const {
  if (comparator_->is_bytewise() && !part.filter.MayContain(key.hash())) return nullptr;
  const char* const entry = part.index.FindFirstAtOrAfter(key.internal_key());
  if (entry == nullptr) return nullptr;
  const bool is_same =
      comparator_->CompareUserKeys(memtable_entry::UserKey(entry), key.user_key()) == 0;
  return is_same ? entry : nullptr;
}

bool MemTable::Find(const LookupKey& key, ValueType* type, Slice* value) const {
  const char* newest = nullptr;
  for (size_t part = 0; part < kParts; part++) {
    if (!HasUsed(part)) continue;
    const char* const entry = FindIn(parts_[part], key);
    if (entry == nullptr) continue;
    if (newest == nullptr || memtable_entry::Trailer(entry) > memtable_entry::Trailer(newest)) {
      newest = entry;
    }
  }
  if (newest == nullptr) return false;
  *type = static_cast<ValueType>(memtable_entry::Trailer(newest) & 0xff);
  *value = memtable_entry::Value(newest);
  return true;
}

namespace {

class MemTableIterator final : public InternalIteratorBase<MemTableIterator> {
 public:
  explicit MemTableIterator(const MemtableIndex* index) : cursor_(index) {}

  bool Valid() const override { return cursor_.Valid(); }
  void Seek(const Slice& target) override { cursor_.Seek(target); }
  void SeekToFirst() override { cursor_.SeekToFirst(); }
  void SeekToLast() override { cursor_.SeekToLast(); }
  void Next() override { cursor_.Next(); }
  void Prev() override { cursor_.Prev(); }
  Slice key() const override { return memtable_entry::Key(cursor_.entry()); }
  Slice value() const override { return memtable_entry::Value(cursor_.entry()); }
  Status status() const override { return Status::OK(); }

 private:
  MemtableIndex::Cursor cursor_;
};

}  // namespace

void MemTable::AppendIterators(std::vector<InternalIterator*>* iterators) const {
  for (size_t part = 0; part < kParts; part++) {
    if (HasUsed(part)) iterators->push_back(new MemTableIterator(&parts_[part].index));
  }
}

}  // namespace leveldb
