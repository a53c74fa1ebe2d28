#include "pmem/bptree/tree_filter.h"

namespace leveldb {

FilterBlocks::FilterBlocks(uint64_t count)
    : bytes_(
          static_cast<char*>(::operator new(count* BlockedBloomFilter::kBlockBytes, kAlignment))),
      count_(count) {}

uint64_t TreeFilter::memory_bytes() const {
  return blocks_.size() + leaf_filters_.bytes.capacity() +
         leaf_filters_.ends.capacity() * sizeof(uint64_t);
}

}  // namespace leveldb
