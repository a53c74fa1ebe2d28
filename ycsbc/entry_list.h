// EntryList holds copies of entries one after the other: the result of a scan, or the contents of a
// batch.
#ifndef BUSHSTORE_YCSBC_ENTRY_LIST_H_
#define BUSHSTORE_YCSBC_ENTRY_LIST_H_

#include <cstddef>
#include <string>
#include <vector>

#include "leveldb/slice.h"

namespace leveldb::ycsbc {

// Slices are valid until the list is changed.
class EntryList {
 public:
  void Clear() {
    bytes_.clear();
    ends_.clear();
  }

  void Add(const Slice& key, const Slice& value) {
    bytes_.append(key.data(), key.size());
    ends_.push_back(bytes_.size());
    bytes_.append(value.data(), value.size());
    ends_.push_back(bytes_.size());
  }

  size_t size() const { return ends_.size() / 2; }
  size_t bytes() const { return bytes_.size(); }
  Slice key(size_t i) const { return Part(2 * i); }
  Slice value(size_t i) const { return Part(2 * i + 1); }

 private:
  Slice Part(size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return Slice(bytes_.data() + begin, ends_[i] - begin);
  }

  std::string bytes_;
  std::vector<size_t> ends_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_ENTRY_LIST_H_
