// Slice: a pointer and a length that refer to bytes owned elsewhere.
//
// Keys and values are passed as slices. A slice never copies and never frees: the bytes must
// outlive it. They may have any value, including zero; there is no terminator.
//
// Thread-safety: as for a plain struct. Const members may run concurrently; a mutation requires
// external synchronization.

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
  // Creates an empty slice.
  Slice() : data_(""), size_(0) {}

  // Creates a slice that refers to d[0, n).
  Slice(const char* d, size_t n) : data_(d), size_(n) {}

  // Creates a slice that refers to the bytes of s, which must stay valid and unchanged while the
  // slice is used.
  Slice(const std::string& s) : data_(s.data()), size_(s.size()) {}

  // Creates a slice that refers to the zero-terminated string s, without its terminator.
  Slice(const char* s) : data_(s), size_(strlen(s)) {}

  Slice(const Slice&) = default;
  Slice& operator=(const Slice&) = default;

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const char* begin() const { return data_; }
  const char* end() const { return data_ + size_; }

  // Returns the n-th byte. REQUIRES: n < size().
  char operator[](size_t n) const {
    assert(n < size_);
    return data_[n];
  }

  // Changes the slice to refer to an empty array. The bytes themselves are unchanged.
  void clear() {
    data_ = "";
    size_ = 0;
  }

  // Drops the first n bytes from the slice. REQUIRES: n <= size().
  void remove_prefix(size_t n) {
    assert(n <= size_);
    data_ += n;
    size_ -= n;
  }

  // Returns a copy of the bytes.
  std::string ToString() const { return std::string(data_, size_); }

  // Returns a negative value, zero or a positive value if *this sorts before, equals or sorts after
  // b. The order is by unsigned byte value, with a proper prefix before the longer slice.
  int compare(const Slice& b) const;

  // Returns whether the first x.size() bytes equal those of x.
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
