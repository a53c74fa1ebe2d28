// PageBytes tells the size of the pages in which the kernel maps memory.
#ifndef BUSHSTORE_PORT_PAGE_BYTES_H_
#define BUSHSTORE_PORT_PAGE_BYTES_H_

#include <unistd.h>

#include <cstdint>

namespace leveldb {

// Returns 4096 on x86-64, and up to 64 KiB elsewhere.
inline uint64_t PageBytes() {
  static const uint64_t bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_PAGE_BYTES_H_
