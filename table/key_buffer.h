// KeyBuffer: the memory in which a cursor puts keys together. Short keys stay inside the object, so
// that a lookup whose cursor is on the stack allocates nothing.
#ifndef BUSHSTORE_TABLE_KEY_BUFFER_H_
#define BUSHSTORE_TABLE_KEY_BUFFER_H_

#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory>

namespace leveldb {

class KeyBuffer {
 public:
  KeyBuffer() = default;
  KeyBuffer(const KeyBuffer&) = delete;
  KeyBuffer& operator=(const KeyBuffer&) = delete;

  const char* data() const { return data_; }

  // Makes the buffer hold base[0, keep) | suffix[0, n). `base` may be the buffer itself; no other
  // memory may overlap it. 16 bytes may be read from `suffix` if `may_read_past` is set.
  void Assemble(const char* base, size_t keep, const char* suffix, size_t n, bool may_read_past) {
    if (keep + n + kSlack > capacity_) {
      Grow(base, keep, n);
    } else if (base != data_) {
      memcpy(data_, base, keep);
    }
    if (n <= kSlack && may_read_past) {
      memcpy(data_ + keep, suffix, kSlack);  // of fixed size, which is much faster
    } else {
      memcpy(data_ + keep, suffix, n);
    }
  }

 private:
  static constexpr size_t kSlack = 16;
  static constexpr size_t kInlineSize = 112;

  void Grow(const char* base, size_t keep, size_t n) {
    const size_t capacity = 2 * (keep + n + kSlack);
    std::unique_ptr<char[]> bigger(new char[capacity]);
    memcpy(bigger.get(), base, keep);
    heap_ = std::move(bigger);
    data_ = heap_.get();
    capacity_ = capacity;
  }

  char* data_ = inline_;
  size_t capacity_ = kInlineSize;
  std::unique_ptr<char[]> heap_;
  char inline_[kInlineSize];  // uninitialised on purpose
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_KEY_BUFFER_H_
