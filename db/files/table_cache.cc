#include "db/files/table_cache.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "db/files/filename.h"
#include "leveldb/env.h"
#include "util/epoch.h"
#include "util/file_pages.h"

namespace leveldb {

namespace {

// File numbers are consecutive, so they spread evenly over the buckets. A cache of tens of
// thousands of tables has short chains instead of more buckets.
constexpr size_t kMaxBuckets = 16384;

size_t BucketCount(size_t capacity) {
  return std::min(std::bit_ceil(capacity), kMaxBuckets);
}

// Opens the file of table `number` under its current or its legacy name. Sets *name to the name
// that exists.
Status OpenTableFile(Env* env, const std::string& dbname, uint64_t number, std::string* name,
                     RandomAccessFile** file) {
  *name = TableFileName(dbname, number);
  const Status status = env->NewRandomAccessFile(*name, file);
  if (status.ok()) return status;
  const std::string legacy_name = LegacyTableFileName(dbname, number);
  const Status legacy = env->NewRandomAccessFile(legacy_name, file);
  if (legacy.IsNotFound() || (!legacy.ok() && !status.IsNotFound())) return status;
  *name = legacy_name;
  return legacy;
}

// Returns null unless `env` is the default one. The file of another Env may be of a class that was
// compiled without type information, on which dynamic_cast must not be used.
const FilePages* FindPages(const Env* env, const RandomAccessFile* file) {
  return env == Env::Default() ? dynamic_cast<const FilePages*>(file) : nullptr;
}

}  // namespace

// One open table. Linked into its bucket and the clock until it is evicted; then in retired_ until
// no reader can see it.
struct TableCache::Entry {
  uint64_t number = 0;
  std::unique_ptr<RandomAccessFile> file;
  const FilePages* pages = nullptr;        // of the file; null if they are not known
  std::unique_ptr<TableReader> table;      // reads from file
  std::atomic<Entry*> next{nullptr};       // in the bucket
  std::atomic<bool> recently_used{false};  // used since it was opened or the hand passed
  std::atomic<uint32_t> iterators{0};      // incremented inside an epoch guard only
  bool is_removed = false;                 // the file; set before the entry is retired
  size_t clock_index = 0;                  // clock_[clock_index] is this; guarded by mutex_
  uint64_t retired_in = 0;                 // the epoch that ended when it was evicted

  ~Entry() {
    if (is_removed) table->UncacheBlocks();
  }

  // Does not write when there is nothing to change, so that hits share the cache line.
  void MarkUsed() {
    if (!recently_used.load(std::memory_order_relaxed)) {
      recently_used.store(true, std::memory_order_relaxed);
    }
  }
};

TableCache::TableCache(const std::string& dbname, const Options& options, int entries)
    : TableCache(dbname, options, entries, KeyOrder(options.comparator)) {}

TableCache::TableCache(const std::string& dbname, const Options& options, int entries,
                       const KeyOrder& order)
    : dbname_(dbname),
      options_(options),
      order_(order),
      capacity_(static_cast<size_t>(std::max(entries, 1))),
      bucket_mask_(BucketCount(capacity_) - 1),
      buckets_(new std::atomic<Entry*>[BucketCount(capacity_)]()) {}

TableCache::~TableCache() {
  MutexLock lock(&mutex_);
  for (Entry* entry : clock_) {
    assert(entry->iterators.load(std::memory_order_acquire) == 0);
    delete entry;
  }
  for (const std::unique_ptr<Entry>& entry : retired_) {
    assert(entry->iterators.load(std::memory_order_acquire) == 0);
    static_cast<void>(entry);
  }
}

PrefetchableIterator* TableCache::NewIterator(const ReadOptions& options, uint64_t number,
                                              uint64_t size, const ScanHints& hints) {
  PrefetchableIterator* iterator = nullptr;
  {
    EpochGuard guard;
    Entry* entry = nullptr;
    const Status status = FindOrOpen(number, size, &entry);
    if (!status.ok()) return NewPrefetchableErrorIterator(status);
    entry->iterators.fetch_add(1, std::memory_order_relaxed);
    iterator = entry->table->NewIterator(options, hints);
    iterator->RegisterCleanup(hints.replaces ? &ReleasePagesAndUnpin : &UnpinIterator, this, entry);
  }
  return iterator;
}

void TableCache::ReleasePagesAndUnpin(void* cache, void* entry) {
  const FilePages* const pages = static_cast<Entry*>(entry)->pages;
  if (pages != nullptr) pages->ReleasePages();
  UnpinIterator(cache, entry);
}

void TableCache::UnpinIterator(void* cache, void* entry) {
  // The entry may be destroyed by another thread from here on.
  static_cast<Entry*>(entry)->iterators.fetch_sub(1, std::memory_order_release);
  TableCache* const table_cache = static_cast<TableCache*>(cache);
  if (table_cache->retired_count_.load(std::memory_order_acquire) > 0) {
    table_cache->DestroyUnreachable();
  }
}

Status TableCache::Get(const ReadOptions& options, uint64_t number, uint64_t size,
                       const Slice& internal_key, void* arg,
                       void (*found)(void*, const Slice&, const Slice&)) {
  EpochGuard guard;
  Entry* entry = nullptr;
  const Status status = FindOrOpen(number, size, &entry);
  if (!status.ok()) return status;
  return entry->table->Get(options, internal_key, arg, found);
}

uint64_t TableCache::ApproximateOffsetOf(uint64_t number, uint64_t size,
                                         const Slice& internal_key) {
  EpochGuard guard;
  Entry* entry = nullptr;
  if (!FindOrOpen(number, size, &entry).ok()) return 0;
  return entry->table->ApproximateOffsetOf(internal_key);
}

Status TableCache::Open(uint64_t number, uint64_t size) {
  EpochGuard guard;
  Entry* entry = nullptr;
  return FindOrOpen(number, size, &entry);
}

uint64_t TableCache::BytesInMemory(uint64_t number, uint64_t size) {
  EpochGuard guard;
  Entry* entry = nullptr;
  if (!FindOrOpen(number, size, &entry).ok()) return 0;
  return entry->pages == nullptr ? size : entry->pages->BytesInMemory();
}

void TableCache::LeaveMemory(uint64_t number, uint64_t size) {
  EpochGuard guard;
  Entry* entry = nullptr;
  if (!FindOrOpen(number, size, &entry).ok() || entry->pages == nullptr) return;
  entry->pages->WontRead(0, size);
}

TableMemory TableCache::Memory() const {
  TableMemory total;
  const auto add = [&total](const Entry& entry) {
    const TableMemory memory = entry.table->Memory();
    total.indexes += memory.indexes;
    total.filters += memory.filters;
  };
  MutexLock lock(&mutex_);
  for (const Entry* entry : clock_) add(*entry);
  for (const std::unique_ptr<Entry>& entry : retired_) add(*entry);
  return total;
}

TableCache::Entry* TableCache::Find(uint64_t number) const {
  Entry* entry = Bucket(number).load();
  while (entry != nullptr && entry->number != number) entry = entry->next.load();
  return entry;
}

Status TableCache::FindOrOpen(uint64_t number, uint64_t size, Entry** entry) {
  *entry = Find(number);
  if (*entry != nullptr) {
    (*entry)->MarkUsed();
    return Status::OK();
  }
  std::unique_ptr<Entry> opened;
  const Status status = OpenEntry(number, size, &opened);
  if (status.ok()) *entry = Insert(std::move(opened));
  return status;
}

Status TableCache::OpenEntry(uint64_t number, uint64_t size, std::unique_ptr<Entry>* entry) const {
  RandomAccessFile* file = nullptr;
  std::string name;
  Status status = OpenTableFile(options_.env, dbname_, number, &name, &file);
  if (!status.ok()) return status;
  auto opened = std::make_unique<Entry>();
  opened->number = number;
  opened->file.reset(file);
  opened->pages = FindPages(options_.env, file);
  status = TableReader::Open(options_, order_, file, opened->pages, size, name, &opened->table);
  if (status.ok()) *entry = std::move(opened);
  return status;
}

// Inserts a table into the cache, unless another thread has inserted it: then returns that entry.
TableCache::Entry* TableCache::Insert(std::unique_ptr<Entry> entry) {
  std::vector<std::unique_ptr<Entry>> unreachable;  // destroyed after the mutex is released
  MutexLock lock(&mutex_);
  Entry* const present = Find(entry->number);
  if (present != nullptr) {
    unreachable.push_back(std::move(entry));
    return present;
  }
  Entry* const inserted = entry.release();
  if (clock_.size() >= capacity_) EvictByClock();
  inserted->clock_index = clock_.size();
  clock_.push_back(inserted);
  std::atomic<Entry*>& bucket = Bucket(inserted->number);
  inserted->next.store(bucket.load());
  bucket.store(inserted);
  unreachable = TakeUnreachable();
  return inserted;
}

void TableCache::Evict(uint64_t number) {
  {
    MutexLock lock(&mutex_);
    Entry* const entry = Find(number);
    if (entry != nullptr) {
      entry->is_removed = true;
      Remove(entry);
    }
  }
  DestroyUnreachable();
}

// Clears marks until a table has none, and evicts that one. The loop is bounded by two rounds,
// because readers may keep setting marks.
void TableCache::EvictByClock() {
  for (size_t steps = 2 * clock_.size(); steps > 0; steps--) {
    if (hand_ >= clock_.size()) hand_ = 0;
    if (!clock_[hand_]->recently_used.exchange(false, std::memory_order_relaxed)) break;
    hand_++;
  }
  if (hand_ >= clock_.size()) hand_ = 0;
  Remove(clock_[hand_]);
}

// Removes the entry from the clock and its bucket and retires it.
void TableCache::Remove(Entry* entry) {
  clock_[entry->clock_index] = clock_.back();
  clock_.back()->clock_index = entry->clock_index;
  clock_.pop_back();
  std::atomic<Entry*>* link = &Bucket(entry->number);
  while (link->load() != entry) link = &link->load()->next;
  link->store(entry->next.load());
  entry->retired_in = epoch::Advance();
  retired_.emplace_back(entry);
  retired_count_.store(retired_.size(), std::memory_order_release);
}

std::vector<std::unique_ptr<TableCache::Entry>> TableCache::TakeUnreachable() {
  std::vector<std::unique_ptr<Entry>> unreachable;
  const auto reachable_end =
      std::partition(retired_.begin(), retired_.end(), [](const std::unique_ptr<Entry>& entry) {
        return !epoch::Passed(entry->retired_in) ||
               entry->iterators.load(std::memory_order_acquire) > 0;
      });
  std::move(reachable_end, retired_.end(), std::back_inserter(unreachable));
  retired_.erase(reachable_end, retired_.end());
  retired_count_.store(retired_.size(), std::memory_order_release);
  return unreachable;
}

void TableCache::DestroyUnreachable() {
  std::vector<std::unique_ptr<Entry>> unreachable;  // destroyed after the mutex is released
  MutexLock lock(&mutex_);
  unreachable = TakeUnreachable();
}

}  // namespace leveldb
