// The LRU cache has 16 shards, each with a mutex, a hash table and a list from the least to the
// most recently used entry.
//
// An entry counts its references: one is the cache's own while the entry can be found, and each
// holder has one. New references to an entry that can be found are made under the shard's mutex
// only, so an entry with one reference is known to be unused. Releasing a reference takes no mutex:
// the thread that releases the last one destroys the entry.
//
// Held entries stay in the list. When eviction meets one, it moves it to the newest end.
//
// Moving an entry to the newest end touches its neighbours, so a lookup skips the move if the entry
// is among the newest eighth already: the order inside that eighth is not kept.

#include "leveldb/cache.h"

#include <atomic>
#include <cassert>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "port/mutex.h"
#include "port/thread_annotations.h"
#include "util/hash64.h"

namespace leveldb {

Cache::~Cache() = default;

void Cache::Prune() {}

namespace {

// One entry; its key follows it in memory.
struct Entry {
  static Entry* New(const Slice& key, uint64_t hash, void* value, size_t charge,
                    void (*deleter)(const Slice&, void*)) {
    Entry* const e = new (::operator new(sizeof(Entry) + key.size())) Entry;
    e->value = value;
    e->deleter = deleter;
    e->charge = charge;
    e->hash = hash;
    e->key_length = key.size();
    memcpy(reinterpret_cast<char*>(e + 1), key.data(), key.size());
    return e;
  }

  Slice key() const { return Slice(reinterpret_cast<const char*>(this + 1), key_length); }

  bool HasKey(const Slice& k, uint64_t h) const { return hash == h && key() == k; }

  // Releases a reference; returns true if it was the last, and the caller must Destroy the entry.
  bool DropReference() { return references.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  static void Destroy(Entry* e) {
    (*e->deleter)(e->key(), e->value);
    e->~Entry();
    ::operator delete(e);
  }

  Entry* next_in_bucket = nullptr;
  uint64_t hash = 0;
  size_t key_length = 0;
  std::atomic<uint32_t> references{0};
  void* value = nullptr;
  uint64_t moved_at = 0;  // The shard's count of moves when this one was moved to the newest end.
  Entry* older = nullptr;
  Entry* newer = nullptr;
  size_t charge = 0;
  void (*deleter)(const Slice&, void*) = nullptr;
};

// DoomedEntries are entries whose last reference is gone, kept until the mutex is released:
// deleters are code of the program.
class DoomedEntries {
 public:
  DoomedEntries() = default;
  ~DoomedEntries() {
    while (first_ != nullptr) {
      Entry* const e = first_;
      first_ = e->older;
      Entry::Destroy(e);
    }
  }

  DoomedEntries(const DoomedEntries&) = delete;
  DoomedEntries& operator=(const DoomedEntries&) = delete;

  void Add(Entry* e) {
    e->older = first_;
    first_ = e;
  }

 private:
  Entry* first_ = nullptr;
};

// EntryTable finds the entries of a shard by key: chains in as many buckets as there are entries,
// or up to twice as many.
class EntryTable {
 public:
  EntryTable() : buckets_(16) {}

  size_t size() const { return size_; }

  // Returns the address of the pointer to the entry of key; the pointer is null if there is no
  // entry.
  Entry** Find(const Slice& key, uint64_t hash) {
    Entry** place = &buckets_[hash & (buckets_.size() - 1)];
    while (*place != nullptr && !(*place)->HasKey(key, hash)) place = &(*place)->next_in_bucket;
    return place;
  }

  // Adds e at the address that Find has returned for its key.
  void Add(Entry** place, Entry* e) {
    *place = e;
    size_++;
    if (size_ > buckets_.size()) Grow();
  }

  void Remove(Entry** place) {
    *place = (*place)->next_in_bucket;
    size_--;
  }

 private:
  void Grow() {
    std::vector<Entry*> old(buckets_.size() * 2);
    old.swap(buckets_);
    for (Entry* e : old) {
      while (e != nullptr) {
        Entry* const next = e->next_in_bucket;
        Entry*& bucket = buckets_[e->hash & (buckets_.size() - 1)];
        e->next_in_bucket = bucket;
        bucket = e;
        e = next;
      }
    }
  }

  std::vector<Entry*> buckets_;
  size_t size_ = 0;
};

class alignas(64) Shard {
 public:
  Shard() {
    ends_.newer = &ends_;
    ends_.older = &ends_;
  }

  ~Shard() {
    DoomedEntries doomed;
    MutexLock lock(&mutex_);
    while (ends_.newer != &ends_) {
      assert(ends_.newer->references.load() == 1);  // A handle was never released.
      Forget(ends_.newer, &doomed);
    }
  }

  void SetCapacity(size_t capacity) { capacity_ = capacity; }

  // Takes over e, which has one reference, that of the caller.
  void Insert(Entry* e) {
    if (capacity_ == 0) return;
    DoomedEntries doomed;
    MutexLock lock(&mutex_);
    e->references.store(2, std::memory_order_relaxed);
    Entry** place = table_.Find(e->key(), e->hash);
    if (*place != nullptr) {
      Forget(*place, &doomed);
      place = table_.Find(e->key(), e->hash);
    }
    table_.Add(place, e);
    LinkAsNewest(e);
    usage_ += e->charge;
    MakeRoom(&doomed);
  }

  Entry* Lookup(const Slice& key, uint64_t hash) {
    MutexLock lock(&mutex_);
    Entry* const e = *table_.Find(key, hash);
    if (e == nullptr) return nullptr;
    e->references.fetch_add(1, std::memory_order_relaxed);
    // No more entries than that can be newer than e.
    if (moves_ - e->moved_at > table_.size() / 8) MoveToNewest(e);
    return e;
  }

  void Erase(const Slice& key, uint64_t hash) {
    DoomedEntries doomed;
    MutexLock lock(&mutex_);
    Entry* const e = *table_.Find(key, hash);
    if (e != nullptr) Forget(e, &doomed);
  }

  void Prune() {
    DoomedEntries doomed;
    MutexLock lock(&mutex_);
    for (Entry* e = ends_.newer; e != &ends_;) {
      Entry* const next = e->newer;
      if (e->references.load(std::memory_order_acquire) == 1) Forget(e, &doomed);
      e = next;
    }
  }

  size_t TotalCharge() const {
    MutexLock lock(&mutex_);
    return usage_;
  }

 private:
  void MakeRoom(DoomedEntries* doomed) EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (size_t left = table_.size(); left > 0 && usage_ > capacity_; left--) {
      Entry* const oldest = ends_.newer;
      if (oldest->references.load(std::memory_order_acquire) > 1) {
        MoveToNewest(oldest);
      } else {
        Forget(oldest, doomed);
      }
    }
  }

  // Removes e from table and list and releases the cache's reference.
  void Forget(Entry* e, DoomedEntries* doomed) EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    table_.Remove(table_.Find(e->key(), e->hash));
    Unlink(e);
    usage_ -= e->charge;
    if (e->DropReference()) doomed->Add(e);
  }

  void MoveToNewest(Entry* e) EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    Unlink(e);
    LinkAsNewest(e);
  }

  void Unlink(Entry* e) EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    e->older->newer = e->newer;
    e->newer->older = e->older;
  }

  void LinkAsNewest(Entry* e) EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    e->newer = &ends_;
    e->older = ends_.older;
    e->older->newer = e;
    ends_.older = e;
    e->moved_at = ++moves_;
  }

  size_t capacity_ = 0;
  mutable Mutex mutex_;
  EntryTable table_ GUARDED_BY(mutex_);
  size_t usage_ GUARDED_BY(mutex_) = 0;
  uint64_t moves_ GUARDED_BY(mutex_) = 0;
  Entry ends_ GUARDED_BY(mutex_);  // Closes the list: newer is the oldest entry, older the newest.
};

class LruCache final : public Cache {
 public:
  explicit LruCache(size_t capacity) {
    for (Shard& shard : shards_) shard.SetCapacity(capacity / kShards + (capacity % kShards != 0));
  }

  Handle* Insert(const Slice& key, void* value, size_t charge,
                 void (*deleter)(const Slice& key, void* value)) override {
    const uint64_t hash = HashOf(key);
    Entry* const e = Entry::New(key, hash, value, charge, deleter);
    e->references.store(1, std::memory_order_relaxed);
    ShardOf(hash).Insert(e);
    return HandleOf(e);
  }

  Handle* Lookup(const Slice& key) override {
    const uint64_t hash = HashOf(key);
    return HandleOf(ShardOf(hash).Lookup(key, hash));
  }

  void Release(Handle* handle) override {
    Entry* const e = EntryOf(handle);
    if (e->DropReference()) Entry::Destroy(e);
  }

  void* Value(Handle* handle) override { return EntryOf(handle)->value; }

  void Erase(const Slice& key) override {
    const uint64_t hash = HashOf(key);
    ShardOf(hash).Erase(key, hash);
  }

  uint64_t NewId() override { return last_id_.fetch_add(1, std::memory_order_relaxed) + 1; }

  void Prune() override {
    for (Shard& shard : shards_) shard.Prune();
  }

  size_t TotalCharge() const override {
    size_t total = 0;
    for (const Shard& shard : shards_) total += shard.TotalCharge();
    return total;
  }

 private:
  static constexpr int kShardBits = 4;
  static constexpr size_t kShards = size_t{1} << kShardBits;

  static uint64_t HashOf(const Slice& key) { return HashKey64(key); }

  // Chooses the shard by the highest bits: the lowest choose the bucket.
  Shard& ShardOf(uint64_t hash) { return shards_[hash >> (64 - kShardBits)]; }

  static Handle* HandleOf(Entry* e) { return reinterpret_cast<Handle*>(e); }
  static Entry* EntryOf(Handle* handle) { return reinterpret_cast<Entry*>(handle); }

  Shard shards_[kShards];
  std::atomic<uint64_t> last_id_{0};
};

}  // namespace

Cache* NewLRUCache(size_t capacity) {
  return new LruCache(capacity);
}

}  // namespace leveldb
