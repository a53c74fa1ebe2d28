// Replaces pool_heap.cc in a build without libpmemobj.
#include "pmem/media/pool_heap.h"

#include <cassert>

namespace leveldb {

struct PoolHeap::Library {};

namespace {

Status BuiltWithout(const std::string& path) {
  return Status::NotSupported("pool " + path, "this library was built without persistent memory");
}

}  // namespace

PoolHeap::PoolHeap(const Library* library, const std::string& path, void* pool)
    : library_(library), path_(path), pool_(pool) {}

PoolHeap::~PoolHeap() = default;

Status PoolHeap::Create(const std::string& path, uint64_t, std::unique_ptr<PoolHeap>*) {
  return BuiltWithout(path);
}

Status PoolHeap::Open(const std::string& path, std::unique_ptr<PoolHeap>*) {
  return BuiltWithout(path);
}

// The remaining functions are never called, because no object can be created.

Status PoolHeap::Root(size_t, PoolOffset*, uint64_t*) {
  return BuiltWithout(path_);
}

Status PoolHeap::Extend(uint64_t) {
  return BuiltWithout(path_);
}

uint64_t PoolHeap::LargestObject(uint64_t) const {
  return 0;
}

Status PoolHeap::Allocate(void*, uint64_t) {
  return BuiltWithout(path_);
}

uint64_t PoolHeap::ObjectBytes(PoolOffset) const {
  return 0;
}

}  // namespace leveldb
