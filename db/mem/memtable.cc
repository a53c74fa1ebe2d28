#include "db/mem/memtable.h"

#include <cstring>

#include "entry/value_ref.h"
#include "util/hash64.h"

namespace leveldb {

MemTable::MemTable(const InternalKeyComparator* comparator)
    : comparator_(comparator), index_(comparator, &arena_), filter_(&arena_) {}

void MemTable::Add(SequenceNumber sequence, ValueType type, const Slice& key, const Slice& value) {
  // The filter's word arrives while the entry is copied and finds its place.
  const bool has_filter = comparator_->is_bytewise();
  const uint64_t hash = has_filter ? HashKey64(key) : 0;
  if (has_filter) filter_.Approach(hash);
  char* const entry = arena_.Allocate(memtable_entry::Size(key.size(), value.size()));
  char* p = entry;
  StoreFixed32(p, static_cast<uint32_t>(key.size()));
  StoreFixed32(p + 4, static_cast<uint32_t>(value.size()));
  p += memtable_entry::kHeaderSize;
  memcpy(p, key.data(), key.size());
  p += key.size();
  StoreFixed64(p, PackTrailer(sequence, type));
  p += kTrailerSize;
  memcpy(p, value.data(), value.size());
  index_.Insert(entry);
  if (has_filter) filter_.Add(hash);
  num_entries_++;
  const size_t value_size = type == kTypeValueRef ? ValueRefLength(value) : value.size();
  user_bytes_.store(UserBytes() + key.size() + value_size, std::memory_order_relaxed);
}

bool MemTable::Find(const LookupKey& key, ValueType* type, Slice* value) const {
  if (comparator_->is_bytewise() && !filter_.MayContain(key.hash())) return false;
  const char* const entry = index_.FindFirstAtOrAfter(key.internal_key());
  if (entry == nullptr) return false;
  if (comparator_->CompareUserKeys(memtable_entry::UserKey(entry), key.user_key()) != 0) {
    return false;
  }
  *type = static_cast<ValueType>(memtable_entry::Trailer(entry) & 0xff);
  *value = memtable_entry::Value(entry);
  return true;
}

namespace {

class MemTableIterator final : public Iterator {
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

Iterator* MemTable::NewIterator() const {
  return new MemTableIterator(&index_);
}

}  // namespace leveldb
