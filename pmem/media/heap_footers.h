// Mends what libpmemobj before 2.1.3 leaves undone when it opens a pool after a crash.
//
// A block of chunks that libpmemobj has free has a header in front and, if it is longer than one
// chunk, a footer at its end, in the same table. By the footer the block behind finds the one
// before it when both become one. libpmemobj writes footers without making them durable, and means
// to write them anew at each opening, but passes over those of free blocks. After a power failure
// between the two writes a footer may be zeros, or what stood there before, and leads astray.
#ifndef BUSHSTORE_PMEM_MEDIA_HEAP_FOOTERS_H_
#define BUSHSTORE_PMEM_MEDIA_HEAP_FOOTERS_H_

#include <cstdint>

namespace leveldb {

// Writes the footers of all free blocks of a mapped pool, of which `bytes` may be looked at, before
// libpmemobj is asked for anything. They need not be durable: each opening writes them. What is not
// laid out as known, or makes no sense, is left alone.
void RestoreFooters(char* pool, uint64_t bytes);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_HEAP_FOOTERS_H_
