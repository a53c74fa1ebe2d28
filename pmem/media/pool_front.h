// PoolFront: the first mebibytes of a pool, read from its file or device and not through
// libpmemobj: to find BushStore's root while the pool is closed or in use elsewhere, and to check
// what libpmemobj follows without a check.
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
  // The front of a pool that is mapped as [base, base + bytes) as long as this object exists.
  PoolFront(const char* base, uint64_t bytes);

  // Reads the header and the descriptor that follows it. REQUIRED before all other calls; those
  // that are not const read more when they need it.
  Status Read();

  // Returns true if libpmemobj's header is blank, so that a pool may be created here.
  bool IsBlank() const;

  // Returns true if the whole front is blank, or if libpmemobj has begun to create a pool of
  // BushStore's layout here and there is no root yet.
  bool IsHalfMade();

  // Finds the root. `name` is the pool's, for messages. Sets *root to the PoolRoot::kBytes bytes of
  // the root.
  Status FindRoot(const std::string& name, PoolIdentity* identity, std::string* root);

  // Returns the offset that the root must have according to libpmemobj's descriptor; the end of the
  // metadata if that is impossible.
  PoolOffset RootOffset() const;

  // Returns the end of libpmemobj's heap; what the files have beyond it is not yet part of the
  // pool. 0 if the layout is not known.
  uint64_t HeapEnd() const;

  // Corruption if libpmemobj metadata that libpmemobj follows without a check are wrong: a journal
  // that continues elsewhere (BushStore's never do) or refers to offsets outside the pool, the
  // offsets of heap and root, the chain of chunks, the size of blocks in a chunk. The pool has
  // `bytes` bytes in all its files, and had bytes_noted when its length was last noted. Layouts
  // that are not known pass.
  Status CheckHeap(const std::string& name, const PoolIdentity& identity, uint64_t bytes_noted,
                   uint64_t bytes);

  // Overwrites the front with zeros, so that it is no longer a pool. REQUIRES: it is a file's, not
  // a mapping's.
  Status Blank() const;

  // Returns the end of the part of the front that only libpmemobj uses.
  static uint64_t MetadataEnd();

 private:
  // Reads the front up to `bytes`, or to its end.
  Status ReadUpTo(size_t bytes);
  // Reads up to n bytes at `at`, which exist, as RawFile::Read does.
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
  std::string_view front_;  // the part that has been read
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_FRONT_H_
