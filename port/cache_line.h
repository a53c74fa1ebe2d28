// What the processor moves between memory and caches at once.
#ifndef BUSHSTORE_PORT_CACHE_LINE_H_
#define BUSHSTORE_PORT_CACHE_LINE_H_

#include <cstddef>

namespace leveldb {

constexpr size_t kCacheLineBytes = 64;

// What threads of different processors write lies so far apart: processors fetch lines in pairs.
constexpr size_t kApartBytes = 2 * kCacheLineBytes;

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_CACHE_LINE_H_
