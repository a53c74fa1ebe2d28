// Functions to copy strings that are mostly short, such as keys: a call of memcpy costs more than
// the copy itself.
#ifndef BUSHSTORE_UTIL_COPY_SHORT_H_
#define BUSHSTORE_UTIL_COPY_SHORT_H_

#include <cstddef>
#include <cstring>
#include <string>

namespace leveldb {

// Equals memcpy(to, from, size) for kHalf <= size <= 2 * kHalf: copies two halves that may overlap.
template <size_t kHalf>
inline void CopyHalves(char* to, const char* from, size_t size) {
  char head[kHalf];
  char tail[kHalf];
  memcpy(head, from, kHalf);
  memcpy(tail, from + size - kHalf, kHalf);
  memcpy(to, head, kHalf);
  memcpy(to + size - kHalf, tail, kHalf);
}

// Equals memcpy(to, from, size).
inline void CopyShort(char* to, const char* from, size_t size) {
  if (size < 8) {
    for (size_t i = 0; i < size; i++) to[i] = from[i];
  } else if (size <= 16) {
    CopyHalves<8>(to, from, size);
  } else if (size <= 32) {
    CopyHalves<16>(to, from, size);
  } else {
    memcpy(to, from, size);
  }
}

// Equals to->assign(from, size).
inline void AssignShort(std::string* to, const char* from, size_t size) {
  if (to->size() != size) to->resize(size);
  CopyShort(to->data(), from, size);
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_COPY_SHORT_H_
