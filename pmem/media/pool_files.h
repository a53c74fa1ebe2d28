// PoolFiles: the files that hold a pool, their paths and lengths, and how they are created and
// removed.
//
// A directory pool NAME is
//   DIR/NAME.set    a text for libpmemobj: the option SINGLEHDR, how much address space to reserve,
//                   and the directory of the parts
//   DIR/NAME.pool/  the parts, 000000.pmem and on; the first begins with libpmemobj's header
// Every opening brings the text up to date, so both may be moved together.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_FILES_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_FILES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_front.h"
#include "pmem/media/raw_file.h"
#include "util/posix_io.h"

namespace leveldb {

// Not thread-safe; holds no descriptors.
class PoolFiles {
 public:
  struct Part {
    std::string path;
    uint64_t bytes = 0;
    uint64_t alignment = 0;  // of a device
  };

  // The files of the pool at a path. kDetect determines the kind by what is there.
  PoolFiles(const std::string& path, PoolKind kind);

  // Lists the paths of all directory pools in a directory, sorted. Includes pools of which only a
  // part is left.
  static Status ListDirectory(const std::string& directory, std::vector<std::string>* paths);

  const std::string& path() const { return path_; }
  PoolKind kind() const { return kind_; }
  // The directory that holds everything of the pool.
  std::string directory() const;
  // Returns the directory with the parts of a directory pool: NAME.pool for NAME.set.
  std::string parts_directory() const;

  // Returns true if the path ends as that of a directory pool does; otherwise it may be the
  // directory in which a pool is to be created.
  bool NamesSet() const;

  // Returns true if any file of the pool exists.
  bool Exist() const;

  // Lists the files that are mapped, in the order of the mapping: one, or the parts. NotFound if
  // there is none.
  Status List(std::vector<Part>* parts) const;
  // Returns their total length.
  Status Bytes(uint64_t* bytes) const;

  // FirstFile returns the bytes of the first file; Front returns its front, read. NotFound if there
  // is none.
  Status FirstFile(std::unique_ptr<RawFile>* file) const;
  Status Front(std::unique_ptr<PoolFront>* front) const;

  // IOError if the pool is open anywhere. With `lock`, no other user can open it as long as *lock
  // exists.
  Status CheckFree(std::unique_ptr<Descriptor>* lock = nullptr) const;

  // Removes the parts that begin at `end` bytes or after, which a growth left that was interrupted
  // or failed. A part that extends across `end` stays. REQUIRES: no other process has the pool
  // open.
  Status RemovePartsBehind(uint64_t end) const;

  // Renames the parts to 0, 1, 2 ... in their order. libpmemobj skips the numbers of growths that
  // failed, and then cannot open the result.
  Status NumberParts() const;

  // Returns the free bytes of the file system that the files are on.
  uint64_t FreeBytes() const;

  // Determines how long a new pool here will be if `wanted` bytes are requested (0: the length of
  // what is there, or the default). InvalidArgument if that is too small, or if what is there is
  // not blank.
  Status Measure(uint64_t wanted, uint64_t* bytes) const;
  // Allocates `bytes` bytes for the empty file that is there.
  Status Allocate(uint64_t bytes) const;
  // Allocates storage for every page of the files, also where a copy has left holes: a store into a
  // hole raises SIGBUS when the file system is full. IOError if it is full now.
  Status FillHoles() const;
  // Restores a file or device to what Measure saw, when it had `length` bytes.
  Status Reset(uint64_t length) const;

  // For directory pools. MakePartsDirectory creates the directory of the parts. WriteSet writes the
  // text that reserves address space, atomically, unless the file holds it already. The text cannot
  // quote the characters that separate its fields, so a directory with such a character is named by
  // a descriptor, *held, which must stay open as long as libpmemobj has the pool open.
  // InvalidArgument if that is not possible.
  Status MakePartsDirectory() const;
  Status WriteSet(uint64_t reserved_bytes, std::unique_ptr<Descriptor>* held) const;

  // Removes all files of the pool. A device is blanked at the front.
  Status Remove() const;

 private:
  Status NameParts(std::string* name, std::unique_ptr<Descriptor>* held) const;

  std::string path_;
  PoolKind kind_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_FILES_H_
