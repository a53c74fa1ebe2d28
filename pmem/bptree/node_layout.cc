#include "pmem/bptree/node_layout.h"

#include "util/crc32c.h"

namespace leveldb {

uint32_t LeafCrc(const char* leaf, size_t used, uint64_t salt, PoolOffset pool_offset) {
  assert(used >= kLeafHeaderSize);
  char identity[16];
  StoreFixed64(identity, salt);
  StoreFixed64(identity + 8, pool_offset);
  return crc32c::Extend(crc32c::Value(identity, sizeof(identity)), leaf + 4, used - 4);
}

}  // namespace leveldb
