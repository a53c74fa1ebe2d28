// Makes the kernel provide memory before it is written.
#ifndef BUSHSTORE_PMEM_MEDIA_PAGE_TOUCH_H_
#define BUSHSTORE_PMEM_MEDIA_PAGE_TOUCH_H_

#include <cstddef>

namespace leveldb {

// Makes the kernel provide the pages of begin[0, n), without changing a byte. Other threads may
// write there at the same time.
void TouchPages(char* begin, size_t n);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_PAGE_TOUCH_H_
