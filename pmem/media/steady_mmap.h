// mmap for libpmemobj, which gives the addresses of a pool to no other mapping.
#ifndef BUSHSTORE_PMEM_MEDIA_STEADY_MMAP_H_
#define BUSHSTORE_PMEM_MEDIA_STEADY_MMAP_H_

#include <sys/types.h>

#include <cstddef>

namespace leveldb {

// As mmap, but one that asks for MAP_SYNC, for MAP_FIXED and for what the file system does not have
// fails without an effect.
//
// libpmemobj maps the parts of a pool over the addresses that it has reserved for them, first with
// MAP_SYNC and, where that is not supported, without. On ext4 and XFS the kernel notices this only
// after it has removed what was mapped there: for a moment the addresses are free, and what another
// thread maps there (a stack, an arena of malloc, a file) is overwritten by the second attempt.
void* SteadyMmap(void* address, size_t length, int protection, int flags, int fd, off_t offset);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_STEADY_MMAP_H_
