// For tests: a mapped file some of whose pages are in memory; counts the device's reads.
#ifndef BUSHSTORE_TABLE_DEVICE_SOURCE_H_
#define BUSHSTORE_TABLE_DEVICE_SOURCE_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "util/file_pages.h"

namespace leveldb {

class DeviceSource final : public RandomAccessFile, public FilePages {
 public:
  static constexpr uint64_t kPage = 4096;

  explicit DeviceSource(std::string contents)
      : contents_(std::move(contents)), in_memory_(contents_.size() / kPage + 1) {}

  const std::string& contents() const { return contents_; }

  void LeaveMemory() { in_memory_.assign(in_memory_.size(), false); }
  void ComeToMemory(uint64_t offset, uint64_t n) const {
    for (uint64_t page = offset / kPage; page * kPage < offset + n; page++) in_memory_[page] = true;
  }
  bool IsInMemory(uint64_t offset, uint64_t n) const {
    for (uint64_t page = offset / kPage; page * kPage < offset + n; page++) {
      if (!in_memory_[page]) return false;
    }
    return true;
  }

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    const uint64_t begin = std::min<uint64_t>(offset, contents_.size());
    n = std::min<size_t>(n, contents_.size() - begin);
    if (exceeds && !IsInMemory(begin, n)) {
      device_reads++;
      if (fails) return Status::IOError("bad sector");
      device_bytes += n;
      ComeToMemory(begin, n);
      contents_.copy(scratch, n, begin);
      *result = Slice(scratch, n);
    } else {
      *result = Slice(contents_.data() + begin, n);
    }
    return Status::OK();
  }

  const char* mapping() const override { return contents_.data(); }
  bool exceeds_memory() const override { return exceeds; }
  uint64_t BytesInMemory() const override { return contents_.size(); }
  void ReleasePages() const override {}

  InMemory WillRead(uint64_t offset, uint64_t n) const override {
    if (!exceeds) return InMemory::kLittle;
    offset = std::min<uint64_t>(offset, contents_.size());
    n = std::min<uint64_t>(n, contents_.size() - offset);
    if (IsInMemory(offset, n)) return InMemory::kAll;
    device_reads++;
    if (fails) return InMemory::kLittle;
    device_bytes += n;
    ComeToMemory(offset, n);
    return InMemory::kLittle;
  }

  void WontRead(uint64_t offset, uint64_t n) const override {
    offset = std::min<uint64_t>(offset, contents_.size());
    n = std::min<uint64_t>(n, contents_.size() - offset);
    left.emplace_back(offset, offset + n);
  }

  bool exceeds = true;
  bool fails = false;
  mutable int device_reads = 0;
  mutable uint64_t device_bytes = 0;
  mutable std::vector<std::pair<uint64_t, uint64_t>> left;  // the ranges WontRead was called for

 private:
  const std::string contents_;
  mutable std::vector<bool> in_memory_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_DEVICE_SOURCE_H_
