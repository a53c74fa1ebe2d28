// TableCache keeps the open tables of one database, at most a given number of them.
//
// A hit takes no lock and writes no shared memory in the steady state: buckets are singly linked
// lists that readers walk inside an epoch guard, and an evicted table is destroyed only after every
// reader that could have seen it has left its guard and its iterators are gone. A clock over all
// entries decides which table to evict (each use sets a mark, the hand clears marks), which
// approximates least-recently-used. Misses, evictions and destruction take the mutex; files are
// opened outside it.

#ifndef BUSHSTORE_DB_FILES_TABLE_CACHE_H_
#define BUSHSTORE_DB_FILES_TABLE_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "iterator/scan_hints.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "port/mutex.h"
#include "port/thread_annotations.h"
#include "table/table_reader.h"

namespace leveldb {

// Thread-safe.
class TableCache {
 public:
  // `options.filter_policy` is used for the tables as it is (inside a database: the internal one).
  // `entries` is the largest number of tables kept open. What `options` and `order` point to must
  // outlive the cache.
  TableCache(const std::string& dbname, const Options& options, int entries, const KeyOrder& order);

  // The same with the order KeyOrder(options.comparator).
  TableCache(const std::string& dbname, const Options& options, int entries);

  // REQUIRES: no call is running and all iterators made here have been deleted.
  ~TableCache();

  TableCache(const TableCache&) = delete;
  TableCache& operator=(const TableCache&) = delete;

  // Returns an iterator over table `number`, which is `size` bytes long: never null; an error
  // iterator if the table can't be opened. The iterator keeps the table open. The caller owns it
  // and deletes it before the cache. With hints.replaces, the deletion of the iterator removes the
  // table's pages from the process's resident memory if the Env is the default one.
  PrefetchableIterator* NewIterator(const ReadOptions& options, uint64_t number, uint64_t size,
                                    const ScanHints& hints = ScanHints());

  // Searches table `number` for the first entry at or after `internal_key` and calls `found` with
  // it, unless there is none or the filter excludes the key.
  Status Get(const ReadOptions& options, uint64_t number, uint64_t size, const Slice& internal_key,
             void* arg, void (*found)(void* arg, const Slice& key, const Slice& value));

  // Returns about where in the file the data for `internal_key` begins; 0 if the table can't be
  // opened.
  uint64_t ApproximateOffsetOf(uint64_t number, uint64_t size, const Slice& internal_key);

  // Opens the table if it isn't open yet. Returns OK only if footer, index and format are valid.
  Status Open(uint64_t number, uint64_t size);

  // Returns about how many bytes of the table the system's cache holds: 0 if the table can't be
  // opened; all if that is not known, or if the data of the process fits into memory anyway.
  uint64_t BytesInMemory(uint64_t number, uint64_t size);

  // Removes the table's pages from the system's cache, unless all data fits into memory. Index and
  // filter stay in the process.
  void LeaveMemory(uint64_t number, uint64_t size);

  // Returns the memory that the open tables use.
  TableMemory Memory() const LOCKS_EXCLUDED(mutex_);

  // Removes table `number`, whose file is about to be removed, from the cache, and its blocks from
  // the block cache when its last reader is gone. Running reads are not disturbed.
  void Evict(uint64_t number);

 private:
  struct Entry;

  // REQUIRES, for both: the caller has an epoch guard for as long as it uses the entry.
  Entry* Find(uint64_t number) const;
  Status FindOrOpen(uint64_t number, uint64_t size, Entry** entry);
  Status OpenEntry(uint64_t number, uint64_t size, std::unique_ptr<Entry>* entry) const;
  Entry* Insert(std::unique_ptr<Entry> entry) LOCKS_EXCLUDED(mutex_);
  void EvictByClock() EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Remove(Entry* entry) EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Removes and returns the entries of retired_ that no reader can see any more; the caller
  // destroys them outside the mutex.
  std::vector<std::unique_ptr<Entry>> TakeUnreachable() EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void DestroyUnreachable() LOCKS_EXCLUDED(mutex_);
  static void UnpinIterator(void* cache, void* entry);
  static void ReleasePagesAndUnpin(void* cache, void* entry);

  std::atomic<Entry*>& Bucket(uint64_t number) const { return buckets_[number & bucket_mask_]; }

  const std::string dbname_;
  const Options options_;
  const KeyOrder order_;
  const size_t capacity_;
  const uint64_t bucket_mask_;
  const std::unique_ptr<std::atomic<Entry*>[]> buckets_;

  mutable Mutex mutex_;
  std::vector<Entry*> clock_ GUARDED_BY(mutex_);  // every linked entry, in no order
  size_t hand_ GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<Entry>> retired_ GUARDED_BY(mutex_);
  std::atomic<size_t> retired_count_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_FILES_TABLE_CACHE_H_
