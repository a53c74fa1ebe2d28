// SteadyMmap: an mmap for libpmemobj that never releases the addresses of a pool to other mappings.
#ifndef BUSHSTORE_PMEM_MEDIA_STEADY_MMAP_H_
#define BUSHSTORE_PMEM_MEDIA_STEADY_MMAP_H_

#include <sys/types.h>

#include <cstddef>

namespace leveldb {

// Same as mmap, but a call with MAP_SYNC and MAP_FIXED that the file system does not support fails
// without side effects.
//
// libpmemobj maps the parts of a pool over the addresses that it has reserved for them, first with
// MAP_SYNC and, where that is not supported, without. On ext4 and XFS the kernel detects this only
// after it has removed the previous mapping: for a moment the addresses are free, and the second
// attempt overwrites what another thread maps there in between (a stack, an arena of malloc, a
// file).
void* SteadyMmap(void* address, size_t length, int protection, int flags, int fd, off_t offset);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_STEADY_MMAP_H_
