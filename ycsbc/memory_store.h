// MemoryStore is a store in memory for tests. It returns correct results unless a test makes it
// fail.
#ifndef BUSHSTORE_YCSBC_MEMORY_STORE_H_
#define BUSHSTORE_YCSBC_MEMORY_STORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "ycsbc/store.h"

namespace leveldb::ycsbc {

// MemoryDisk holds the contents, which outlive the store, as on a disk.
struct MemoryDisk {
  std::mutex mutex;
  std::map<std::string, std::string> entries;

  // Called with the answer of a call of the store, to change it to a wrong one.
  std::function<void(const std::string& key, Status* status, std::string* value)> lie_to_get;
  size_t scan_ends_after = SIZE_MAX;  // a longer scan ends as at the end of the store
  // Called instead of a write; the write is done only by this function.
  std::function<Status(const std::string& key, const std::string& value)> instead_of_put;
  std::function<Status(const std::string& key)> instead_of_delete;
};

class MemorySession final : public StoreSession {
 public:
  explicit MemorySession(MemoryDisk* disk) : disk_(disk) {}

  Status Get(const Slice& key, std::string* value) override {
    const std::lock_guard<std::mutex> lock(disk_->mutex);
    const auto found = disk_->entries.find(key.ToString());
    Status status;
    if (found == disk_->entries.end()) {
      status = Status::NotFound("memory", "");
    } else {
      *value = found->second;
    }
    if (disk_->lie_to_get) disk_->lie_to_get(key.ToString(), &status, value);
    return status;
  }

  Status Put(const Slice& key, const Slice& value) override {
    const std::lock_guard<std::mutex> lock(disk_->mutex);
    if (disk_->instead_of_put) return disk_->instead_of_put(key.ToString(), value.ToString());
    disk_->entries[key.ToString()] = value.ToString();
    return Status::OK();
  }

  Status PutAll(const EntryList& entries) override {
    for (size_t i = 0; i < entries.size(); ++i) {
      const Status status = Put(entries.key(i), entries.value(i));
      if (!status.ok()) return status;
    }
    return Status::OK();
  }

  Status Delete(const Slice& key) override {
    const std::lock_guard<std::mutex> lock(disk_->mutex);
    if (disk_->instead_of_delete) return disk_->instead_of_delete(key.ToString());
    disk_->entries.erase(key.ToString());
    return Status::OK();
  }

  Status ScanEach(const Slice& start, ScanVisitor* visitor) override {
    const std::lock_guard<std::mutex> lock(disk_->mutex);
    auto at = disk_->entries.lower_bound(start.ToString());
    for (size_t i = 0; at != disk_->entries.end() && i < disk_->scan_ends_after; ++at, ++i) {
      if (!visitor->Visit(at->first, at->second)) break;
    }
    return Status::OK();
  }

  Status ScanEachBack(ScanVisitor* visitor) override {
    const std::lock_guard<std::mutex> lock(disk_->mutex);
    auto at = disk_->entries.rbegin();
    for (size_t i = 0; at != disk_->entries.rend() && i < disk_->scan_ends_after; ++at, ++i) {
      if (!visitor->Visit(at->first, at->second)) break;
    }
    return Status::OK();
  }

 private:
  MemoryDisk* const disk_;
};

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(MemoryDisk* disk) : disk_(disk) {}

  std::unique_ptr<StoreSession> NewSession() override {
    return std::make_unique<MemorySession>(disk_);
  }

 private:
  MemoryDisk* const disk_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_MEMORY_STORE_H_
