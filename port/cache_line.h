// The size of a cache line: the unit in which processors move memory to and from their caches.
#ifndef BUSHSTORE_PORT_CACHE_LINE_H_
#define BUSHSTORE_PORT_CACHE_LINE_H_

#include <cstddef>

namespace leveldb {

constexpr size_t kCacheLineBytes = 64;

// The distance between data that different processors write: processors fetch lines in pairs.
constexpr size_t kApartBytes = 2 * kCacheLineBytes;

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_CACHE_LINE_H_
