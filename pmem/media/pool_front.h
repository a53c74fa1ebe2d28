// The first mebibytes of a pool, read from its file or device and not through libpmemobj: to find
// our root while the pool is closed or in somebody else's hands, and to look at what libpmemobj
// follows blindly.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_FRONT_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_FRONT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "leveldb/status.h"
#include "pmem/media/pool_root.h"
#include "pmem/media/raw_file.h"

namespace leveldb {

// The front of one file or device. Not thread-safe; holds no descriptor.
class PoolFront {
 public:
  explicit PoolFront(const RawFile& file) : file_(file), bytes_(file.bytes()) {}
  // The front of a pool that is mapped as [base, base + bytes) for as long as this object lives.
  PoolFront(const char* base, uint64_t bytes);

  // Reads the header and the descriptor behind it. REQUIRED before the questions; those that are
  // not const read on by themselves.
  Status Read();

  // Whether libpmemobj's header is blank, so that a pool may be made here.
  bool IsBlank() const;

  // Whether it is all blank, or libpmemobj has begun to make a pool of our layout here and there is
  // no root of ours yet.
  bool IsHalfMade();

  // Finds the root; `name` is the pool's, for messages. *root gets its PoolRoot::kBytes bytes.
  Status FindRoot(const std::string& name, PoolIdentity* identity, std::string* root);

  // Where the root has to be, as libpmemobj's descriptor says; the end of the metadata if that is
  // impossible.
  PoolOffset RootOffset() const;

  // Where libpmemobj's heap ends: what the files have beyond is not yet part of the pool. 0 if the
  // layout is not known.
  uint64_t HeapEnd() const;

  // Corruption if something of libpmemobj's that it would follow without looking where leads
  // astray: a journal that goes on elsewhere (ours never do) or leads out of the pool, its places
  // of heap and root, the chain of its chunks, the size of blocks in a chunk. The pool has `bytes`
  // bytes in all its files, and had bytes_noted when its length was last noted. Layouts that are
  // not known pass.
  Status CheckHeap(const std::string& name, const PoolIdentity& identity, uint64_t bytes_noted,
                   uint64_t bytes);

  // Overwrites the front with zeros: no pool any more. REQUIRES: it is a file's.
  Status Blank() const;

  // Where the part of the front ends that is libpmemobj's alone.
  static uint64_t MetadataEnd();

 private:
  // Reads the front up to `bytes`, or to its end.
  Status ReadUpTo(size_t bytes);
  // Reads up to n bytes at `at`, which are there, as RawFile::Read does.
  Status ReadPart(uint64_t at, size_t n, char* to, size_t* filled) const;
  static Status TakeRoot(const char* bytes, uint64_t at, const std::string& name,
                         PoolIdentity* identity, bool* is_there);
  Status SearchRoot(const std::string& name, PoolIdentity* identity, std::string* root);
  bool LayoutIsKnown() const;
  bool JournalsAreSound(uint64_t bytes) const;
  bool ChunksAreSound() const;
  bool RunIsSound(uint32_t chunk, uint32_t chunks) const;

  const RawFile file_;
  const uint64_t bytes_;
  const char* const mapped_ = nullptr;  // null: the file is read
  std::unique_ptr<char[]> buffer_;
  std::string_view front_;  // what of it has been read
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_FRONT_H_
