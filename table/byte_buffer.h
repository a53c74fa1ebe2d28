// ByteBuffer: heap memory that is not cleared first and is kept from one use to the next.
#ifndef BUSHSTORE_TABLE_BYTE_BUFFER_H_
#define BUSHSTORE_TABLE_BYTE_BUFFER_H_

#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "leveldb/slice.h"

namespace leveldb {

// Move only. Needs exclusive access.
class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(ByteBuffer&&) = default;
  ByteBuffer& operator=(ByteBuffer&&) = default;

  char* data() { return bytes_.get(); }
  const char* data() const { return bytes_.get(); }
  size_t size() const { return size_; }
  Slice slice() const { return bytes_ == nullptr ? Slice() : Slice(bytes_.get(), size_); }

  void clear() { size_ = 0; }

  // Shrinks the buffer to n bytes, or grows it up to n bytes within the reserved capacity.
  void SetSize(size_t n) {
    assert(n <= capacity_);
    size_ = n;
  }

  // Makes room for n bytes after the present ones and returns its start; does not change the size.
  char* Reserve(size_t n) {
    if (capacity_ - size_ < n) Grow(size_ + n);
    return bytes_.get() + size_;
  }

  void Append(const char* bytes, size_t n) {
    if (n == 0) return;
    memcpy(Reserve(n), bytes, n);
    size_ += n;
  }

  // Makes room for n bytes in all, discarding the contents. Returns false, leaving the buffer
  // empty, if memory can't be allocated.
  bool TryAllocate(size_t n) {
    size_ = 0;
    if (n <= capacity_) return true;
    bytes_.reset();  // first, so that the two never coexist
    bytes_.reset(new (std::nothrow) char[n]);
    capacity_ = bytes_ == nullptr ? 0 : n;
    return bytes_ != nullptr;
  }

 private:
  void Grow(size_t wanted) {
    size_t capacity = capacity_ < 64 ? 64 : 2 * capacity_;
    if (capacity < wanted) capacity = wanted;
    std::unique_ptr<char[]> bytes(new char[capacity]);
    if (size_ > 0) memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BYTE_BUFFER_H_
