// The first mebibytes of a pool, read from its file or device and not through libpmemobj: to find
// our root while the pool is closed or in somebody else's hands, and to look at what libpmemobj
// follows blindly.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_FRONT_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_FRONT_H_

#include <cstdint>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/pool_root.h"

namespace leveldb {

// The front of one file or device of `bytes` bytes. Not thread-safe; holds no descriptor.
class PoolFront {
 public:
  PoolFront(const std::string& path, uint64_t bytes, bool is_device)
      : path_(path), bytes_(bytes), is_device_(is_device) {}

  // Reads it. REQUIRED before the questions.
  Status Read();

  // Whether libpmemobj's header is blank, so that a pool may be made here.
  bool IsBlank() const;

  // Whether it is all blank, or libpmemobj has begun to make a pool of our layout here and there is
  // no root of ours yet.
  bool IsHalfMade() const;

  // Finds the root; `name` is the pool's, for messages. *root gets its PoolRoot::kBytes bytes.
  Status FindRoot(const std::string& name, PoolIdentity* identity, std::string* root) const;

  // Where libpmemobj's heap ends: what the files have beyond is not yet part of the pool. 0 if the
  // layout is not known.
  uint64_t HeapEnd() const;

  // Corruption if something of libpmemobj's that it would follow without looking where leads
  // astray: a journal that goes on elsewhere (ours never do) or leads out of the pool, its places
  // of heap and root, the chain of its chunks, the size of blocks in a chunk. The pool has `bytes`
  // bytes in all its files, and had bytes_noted when its length was last noted. Layouts that are
  // not known pass.
  Status CheckHeap(const std::string& name, const PoolIdentity& identity, uint64_t bytes_noted,
                   uint64_t bytes) const;

  // Overwrites the front with zeros: no pool any more.
  Status Blank() const;

 private:
  bool LayoutIsKnown() const;
  bool JournalsAreSound(uint64_t bytes) const;
  bool ChunksAreSound() const;
  bool RunIsSound(uint32_t chunk, uint32_t chunks) const;

  const std::string path_;
  const uint64_t bytes_;
  const bool is_device_;
  std::string front_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_FRONT_H_
