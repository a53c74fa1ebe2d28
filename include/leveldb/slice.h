// Slice: a pointer and a length, naming bytes that somebody else owns.
//
// Keys and values travel as slices. A slice never copies and never frees: the bytes must outlive
// it. They may hold any value, zero included; there is no terminator.
//
// Thread-safety: as for a plain struct. Const members may run concurrently; a mutation needs
// exclusive access.

#ifndef LEVELDB_INCLUDE_SLICE_H_
#define LEVELDB_INCLUDE_SLICE_H_

#include <cassert>
#include <cstddef>
#include <cstring>
#include <string>

#include "leveldb/export.h"

namespace leveldb {

class LEVELDB_EXPORT Slice {
 public:
  // No bytes at all.
  Slice() : data_(""), size_(0) {}

  // The n bytes from d on.
  Slice(const char* d, size_t n) : data_(d), size_(n) {}

  // The bytes of s, which must neither change nor die while the slice is used.
  Slice(const std::string& s) : data_(s.data()), size_(s.size()) {}

  // The zero-terminated text s, without its terminator.
  Slice(const char* s) : data_(s), size_(strlen(s)) {}

  Slice(const Slice&) = default;
  Slice& operator=(const Slice&) = default;

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const char* begin() const { return data_; }
  const char* end() const { return data_ + size_; }

  // The n-th byte; n must be less than size().
  char operator[](size_t n) const {
    assert(n < size_);
    return data_[n];
  }

  // Becomes the empty slice. The bytes are left alone.
  void clear() {
    data_ = "";
    size_ = 0;
  }

  // Moves the start n bytes forward; n must not exceed size().
  void remove_prefix(size_t n) {
    assert(n <= size_);
    data_ += n;
    size_ -= n;
  }

  // An owned copy of the bytes.
  std::string ToString() const { return std::string(data_, size_); }

  // Negative, zero or positive as *this sorts before, with or after b: by unsigned byte value,
  // and a proper prefix before the longer slice.
  int compare(const Slice& b) const;

  // Whether the first x.size() bytes are those of x.
  bool starts_with(const Slice& x) const {
    return size_ >= x.size_ && memcmp(data_, x.data_, x.size_) == 0;
  }

 private:
  const char* data_;
  size_t size_;
};

inline bool operator==(const Slice& x, const Slice& y) {
  return x.size() == y.size() && memcmp(x.data(), y.data(), x.size()) == 0;
}

inline bool operator!=(const Slice& x, const Slice& y) {
  return !(x == y);
}

inline int Slice::compare(const Slice& b) const {
  const size_t common = size_ < b.size_ ? size_ : b.size_;
  const int order = memcmp(data_, b.data_, common);
  if (order != 0 || size_ == b.size_) return order;
  return size_ < b.size_ ? -1 : 1;
}

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_SLICE_H_
