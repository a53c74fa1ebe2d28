// ValueWriter: stores large values in value extents, each once and at its final offset.
//
// One extent is open at a time and filled from front to back. A value that does not fit into the
// rest of it goes to a new one, unless that would waste much or a whole extent is too small: then
// the value is divided into chunks (value_layout.h). Every value begins at a cache line and is
// stored around the caches, so that no line is written twice or read before it is written.
#ifndef BUSHSTORE_PMEM_VALUE_VALUE_WRITER_H_
#define BUSHSTORE_PMEM_VALUE_VALUE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "entry/value_ref.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/media/extents.h"
#include "pmem/media/pool.h"

namespace leveldb {

// Used by one thread at a time.
class ValueWriter {
 public:
  // Neither is owned; both must outlive the writer.
  ValueWriter(Pool* pool, Extents* extents) : pool_(pool), extents_(extents) {}
  ValueWriter(const ValueWriter&) = delete;
  ValueWriter& operator=(const ValueWriter&) = delete;

  // Sets the number of the log or job that extents opened from now on name in their headers.
  void SetObject(uint64_t object) { object_ = object; }

  // Stores a value, which is persistent after the next fence of this thread. Extents that are
  // opened for it are appended to *opened, each with one reference, which is the caller's from then
  // on. IOError if the pool is full: then nothing was opened. InvalidArgument if the pool's extents
  // are too small for a value of this size. Allocates no memory unless an extent is opened.
  // REQUIRES: the value is not empty and shorter than 4 GiB; the caller still has a reference on
  // current().
  Status Append(const Slice& value, ValueRef* reference, std::vector<PoolOffset>* opened);

  // Append in two steps. Assign gives a value its offset in the extent that is being filled, and
  // returns false if the value needs another extent. Store stores it there, and completes the
  // reference with its checksum, which is computed while the bytes are on their way to the medium.
  bool Assign(const Slice& value, ValueRef* reference);
  void Store(const Slice& value, ValueRef* reference);

  // The extent that is being filled; kNoPoolOffset if the next value opens one. A caller that may
  // release the last reference to it must call Abandon first.
  PoolOffset current() const { return current_; }
  void Abandon() { current_ = kNoPoolOffset; }

  // GoBackTo returns to an earlier position, as if nothing had been appended since. The caller must
  // release the extents that were opened since, after a fence.
  struct Position {
    PoolOffset extent;
    uint64_t used;
  };
  Position position() const { return {current_, used_}; }
  void GoBackTo(const Position& position);

  // Bytes stored so far, headers, lists and padding included.
  uint64_t written_bytes() const { return written_bytes_; }

 private:
  uint64_t Room() const;
  void Open(PoolOffset extent, std::vector<PoolOffset>* opened);
  PoolOffset Take(size_t n);
  PoolOffset Put(const char* bytes, size_t n);
  void StoreAt(PoolOffset pool_offset, const char* bytes, size_t n);
  Status AppendInChunks(const Slice& value, ValueRef* reference, std::vector<PoolOffset>* opened);
  Status ReserveFor(size_t size, uint64_t first_chunk, std::vector<PoolOffset>* fresh);

  Pool* const pool_;
  Extents* const extents_;
  uint64_t object_ = 0;
  PoolOffset current_ = kNoPoolOffset;
  uint64_t used_ = 0;         // of the current extent
  uint32_t next_extent_ = 0;  // number of the next extent of this writer
  uint64_t written_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_VALUE_VALUE_WRITER_H_
