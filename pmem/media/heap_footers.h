// Repairs what libpmemobj before 2.1.3 leaves undone when it opens a pool after a crash.
//
// A block of free chunks in libpmemobj's heap has a header and, if it is longer than one chunk, a
// footer at its end, both in the same table. When two adjacent blocks are merged, the footer leads
// from the second block to the first. libpmemobj writes footers without making them durable and
// intends to write them again at each opening, but skips those of free blocks. After a power
// failure between the two writes, a footer may be zeros or have its earlier contents, and leads to
// a wrong block.
#ifndef BUSHSTORE_PMEM_MEDIA_HEAP_FOOTERS_H_
#define BUSHSTORE_PMEM_MEDIA_HEAP_FOOTERS_H_

#include <cstdint>

namespace leveldb {

// Writes the footers of all free blocks of a mapped pool, of which it accesses only the first
// `bytes` bytes. Must be called before any other use of libpmemobj. The footers need not be
// durable, because each opening writes them. Leaves alone what does not have the known layout or is
// inconsistent.
void RestoreFooters(char* pool, uint64_t bytes);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_HEAP_FOOTERS_H_
