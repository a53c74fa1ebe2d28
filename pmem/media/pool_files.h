// The files that hold a pool: where they are, how long they are, how they come and go.
//
// A directory pool NAME is
//   DIR/NAME.set    a text for libpmemobj: the option SINGLEHDR, how much address space to reserve,
//                   and the directory of the parts
//   DIR/NAME.pool/  the parts, 000000.pmem and on; the first begins with libpmemobj's header
// The text is written anew at every opening, so both may be moved together.
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

  // The files of the pool at a path; kDetect finds out by what is there.
  PoolFiles(const std::string& path, PoolKind kind);

  // The paths of all directory pools in a directory, sorted; also of what is left of one.
  static Status ListDirectory(const std::string& directory, std::vector<std::string>* paths);

  const std::string& path() const { return path_; }
  PoolKind kind() const { return kind_; }
  // The directory that holds everything of the pool.
  std::string directory() const;
  // Where the parts of a directory pool are: NAME.pool for NAME.set.
  std::string parts_directory() const;

  // Whether the path ends as that of a directory pool does; otherwise it may be the directory that
  // one is to be made in.
  bool NamesSet() const;

  // Whether there is anything at the pool's place.
  bool Exist() const;

  // The files that are mapped, in the order of the mapping: one, or the parts. NotFound if there is
  // none.
  Status List(std::vector<Part>* parts) const;
  // How long they are together.
  Status Bytes(uint64_t* bytes) const;

  // What the first file holds, as bytes; the front of it, read. NotFound if there is none.
  Status FirstFile(std::unique_ptr<RawFile>* file) const;
  Status Front(std::unique_ptr<PoolFront>* front) const;

  // IOError if the pool is open anywhere. With `lock` it cannot be opened by others as long as
  // *lock lives.
  Status CheckFree(std::unique_ptr<Descriptor>* lock = nullptr) const;

  // Removes parts behind `end` bytes: a growth that was cut short or failed left them. A part that
  // reaches across stays. REQUIRES: no other process has the pool open.
  Status RemovePartsBehind(uint64_t end) const;

  // Names the parts 0, 1, 2 ... in their order. libpmemobj skips the numbers of growths that failed
  // and cannot open what it leaves then.
  Status NumberParts() const;

  // Bytes that the file system has left for files here.
  uint64_t FreeBytes() const;

  // How long a new pool here is if `wanted` bytes (0: whatever is there, or the default) are asked
  // for. InvalidArgument if that is too small, or if what is there is not blank.
  Status Measure(uint64_t wanted, uint64_t* bytes) const;
  // Gives the empty file that is there its length.
  Status Allocate(uint64_t bytes) const;
  // Gives the files a place for every page, also where a copy has left holes: a store into a hole
  // raises SIGBUS when the file system is full. IOError if it is full now.
  Status FillHoles() const;
  // Makes a file or device again what Measure saw, when it had so many bytes.
  Status Reset(uint64_t length) const;

  // Directory pools: makes the directory of the parts; writes the text that reserves address
  // space, in one piece, unless it says so already. The text has no way to quote what separates its
  // fields, so it names a directory with such a character by a descriptor: *held, which must stay
  // open as long as libpmemobj has the pool. InvalidArgument where that cannot be done.
  Status MakePartsDirectory() const;
  Status WriteSet(uint64_t reserved_bytes, std::unique_ptr<Descriptor>* held) const;

  // Removes what there is. A device becomes blank in front.
  Status Remove() const;

 private:
  Status NameParts(std::string* name, std::unique_ptr<Descriptor>* held) const;

  std::string path_;
  PoolKind kind_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_FILES_H_
