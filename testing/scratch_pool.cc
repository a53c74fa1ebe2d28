#include "testing/scratch_pool.h"

#include <cstdio>
#include <cstdlib>

namespace leveldb {
namespace testkit {

ScratchPool::ScratchPool(uint64_t bytes, uint64_t extent_size, PersistFactory persist_factory)
    : dir_(Medium::kMemory) {
  options_.path = dir_.path();
  options_.size = bytes;
  options_.extent_size = extent_size;
  options_.assume_pmem = true;
  options_.assume_pmem_anywhere = true;
  options_.persist_factory = std::move(persist_factory);
  const Status s = Pool::Create(options_, dir_ / "db", PoolId::Random(), &pool_);
  if (!s.ok()) {
    std::fprintf(stderr, "no pool for this test: %s\n", s.ToString().c_str());
    std::abort();
  }
  options_.path = pool_->path();
  extents_ = std::make_unique<Extents>(pool_.get());
}

void ScratchPool::Close() {
  extents_.reset();
  pool_.reset();
}

Status ScratchPool::Reopen() {
  Close();
  Status s = Pool::Open(options_, nullptr, &pool_);
  if (s.ok()) extents_ = std::make_unique<Extents>(pool_.get());
  return s;
}

}  // namespace testkit
}  // namespace leveldb
