// Store is the interface of a key-value store under test. ycsbc's bindings implement it, and other
// benchmarks may use it, too.
//
//   std::unique_ptr<Store> store;
//   Status status = OpenStore("leveldb", options, &store);
//   std::unique_ptr<StoreSession> session = store->NewSession();   // for each thread
//   status = session->Put("key", "value");
//
// Sessions must be destroyed before their store; the destructor of a store closes it.
#ifndef BUSHSTORE_YCSBC_STORE_H_
#define BUSHSTORE_YCSBC_STORE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/tier_metrics.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "ycsbc/entry_list.h"

namespace leveldb::ycsbc {

// ScanVisitor receives the entries of a scan.
class ScanVisitor {
 public:
  virtual ~ScanVisitor() = default;

  // Called with the next entry; returns false to end the scan. The slices are valid during the call
  // only. A store that knows the size of a value without reading it has not read it yet.
  virtual bool Visit(const Slice& key, const Slice& value) = 0;
};

// StoreSession is one thread's access to the store. It is not thread-safe, but several sessions may
// be used concurrently.
class StoreSession {
 public:
  virtual ~StoreSession() = default;

  // Returns NotFound if there is no such key.
  virtual Status Get(const Slice& key, std::string* value) = 0;

  // Writes a value, whether or not the key exists.
  virtual Status Put(const Slice& key, const Slice& value) = 0;

  // Writes a value for a key that does not exist, which may be faster in some stores.
  virtual Status Insert(const Slice& key, const Slice& value) { return Put(key, value); }

  // Writes all entries in this order and atomically: after a crash all are in the store, or none.
  virtual Status PutAll(const EntryList& entries) = 0;

  // Removes the key. Returns OK also if there is no such key.
  virtual Status Delete(const Slice& key) = 0;

  // Passes the entries from `start` on to the visitor in bytewise order, each once, until the
  // visitor returns false or the store ends. REQUIRES: `start` is not empty; some stores have no
  // empty keys.
  virtual Status ScanEach(const Slice& start, ScanVisitor* visitor) = 0;

  // Passes the entries from the store's last one on to the visitor, in descending order.
  virtual Status ScanEachBack(ScanVisitor* visitor) = 0;

  // Copies the first `count` entries from `start` on, fewer only at the end of the store. REQUIRES:
  // `result` is empty.
  Status Scan(const Slice& start, size_t count, EntryList* result);
};

inline Status StoreSession::Scan(const Slice& start, size_t count, EntryList* result) {
  class Copier final : public ScanVisitor {
   public:
    Copier(size_t count, EntryList* result) : count_(count), result_(result) {}
    bool Visit(const Slice& key, const Slice& value) override {
      result_->Add(key, value);
      return result_->size() < count_;
    }

   private:
    const size_t count_;
    EntryList* const result_;
  };
  if (count == 0) return Status::OK();
  Copier copier(count, result);
  return ScanEach(start, &copier);
}

// Store is thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  virtual std::unique_ptr<StoreSession> NewSession() = 0;

  // Returns the store's own statistics as text.
  virtual std::string Statistics() { return ""; }

  // Returns metrics for the report; may be empty.
  virtual bench::TierMetrics Metrics() { return {}; }
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_STORE_H_
