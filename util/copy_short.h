// Copies of strings that are mostly short, keys above all: a call of memcpy costs more than the
// copy does.
#ifndef BUSHSTORE_UTIL_COPY_SHORT_H_
#define BUSHSTORE_UTIL_COPY_SHORT_H_

#include <cstddef>
#include <cstring>

namespace leveldb {

// As memcpy(to, from, size). Up to 32 bytes are copied as two halves that may overlap.
inline void CopyShort(char* to, const char* from, size_t size) {
  if (size >= 8 && size <= 16) {
    char head[8];
    char tail[8];
    memcpy(head, from, 8);
    memcpy(tail, from + size - 8, 8);
    memcpy(to, head, 8);
    memcpy(to + size - 8, tail, 8);
  } else if (size > 16 && size <= 32) {
    char head[16];
    char tail[16];
    memcpy(head, from, 16);
    memcpy(tail, from + size - 16, 16);
    memcpy(to, head, 16);
    memcpy(to + size - 16, tail, 16);
  } else if (size < 8) {
    for (size_t i = 0; i < size; i++) to[i] = from[i];
  } else {
    memcpy(to, from, size);
  }
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_COPY_SHORT_H_
