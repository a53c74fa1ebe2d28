// A key-value store under test: what all of them can do. ycsbc's bindings implement it, and other
// benchmarks may use it, too.
//
//   std::unique_ptr<Store> store;
//   Status status = OpenStore("leveldb", options, &store);
//   std::unique_ptr<StoreSession> session = store->NewSession();   // for each thread
//   status = session->Put("key", "value");
//
// Sessions go before their store; a store that goes is closed.
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

// What a scan shows its entries to.
class ScanVisitor {
 public:
  virtual ~ScanVisitor() = default;

  // The next entry; false ends the scan. The slices are valid during the call only, and a store
  // that need not read a value to tell its size has not read it yet.
  virtual bool Visit(const Slice& key, const Slice& value) = 0;
};

// One thread's way to the store. Not thread-safe, but sessions may work side by side.
class StoreSession {
 public:
  virtual ~StoreSession() = default;

  // NotFound if there is no such key.
  virtual Status Get(const Slice& key, std::string* value) = 0;

  // Writes a value, whether or not the key is there.
  virtual Status Put(const Slice& key, const Slice& value) = 0;

  // The same for a key that is not there: a store may know a shorter way.
  virtual Status Insert(const Slice& key, const Slice& value) { return Put(key, value); }

  // Writes all of them in this order and in one step: after a crash all are there, or none.
  virtual Status PutAll(const EntryList& entries) = 0;

  // OK also if there is no such key.
  virtual Status Delete(const Slice& key) = 0;

  // Shows the visitor the entries from `start` on in bytewise order, each once, until it has had
  // enough or the store ends. REQUIRES: `start` is not empty; some stores have no empty keys.
  virtual Status ScanEach(const Slice& start, ScanVisitor* visitor) = 0;

  // The same from the store's last entry on, in descending order.
  virtual Status ScanEachBack(ScanVisitor* visitor) = 0;

  // Copies the first `count` entries from `start` on, fewer only at the end of the store. `result`
  // is empty before.
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

// Thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  virtual std::unique_ptr<StoreSession> NewSession() = 0;

  // What the store says of itself, for people.
  virtual std::string Statistics() { return ""; }

  // Figures for the report; may be empty.
  virtual bench::TierMetrics Metrics() { return {}; }
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_STORE_H_
