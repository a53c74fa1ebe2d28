// The first 64 bytes of every run of extents, which say what object the run is part of. A reader
// that follows a pool offset from the medium checks them before it trusts anything else there.
//
//    0  magic     fixed32   "BshX"
//    4  kind      1 byte    1 log, 2 value, 3 tree
//    5  version   1 byte    1
//    6  zeros     2 bytes
//    8  pool      fixed64   the pool's id, folded
//   16  object    fixed64   file number of the log or tree; for values, of the log that opened it
//   24  salt      fixed64   the object's, random: an earlier object in the extent has another
//   32  length    fixed32   extents in this run
//   36  position  fixed32   of the run among the runs of its object, from 0
//   40  zeros     20 bytes
//   60  sum       fixed32   CRC-32C of the run's pool offset and bytes 0 .. 59
//
// An erased header is "Bsh-" and zeros.
#ifndef BUSHSTORE_PMEM_MEDIA_EXTENT_HEADER_H_
#define BUSHSTORE_PMEM_MEDIA_EXTENT_HEADER_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/status.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

enum class ExtentKind : uint8_t { kLog = 1, kValue = 2, kTree = 3 };

struct ExtentHeader {
  static constexpr size_t kSize = 64;

  ExtentKind kind = ExtentKind::kLog;
  uint64_t object = 0;
  uint64_t salt = 0;
  uint32_t length = 1;
  uint32_t position = 0;

  friend bool operator==(const ExtentHeader& a, const ExtentHeader& b) = default;
};

// Writes the header to the start of the run. It is persistent after the next fence of this thread.
void WriteExtentHeader(Pool* pool, PoolOffset run, const ExtentHeader& header);

// Returns true if a run may begin with a header of that kind. A cheap test before ReadExtentHeader,
// for searches in which most runs do not. REQUIRES: the header is in the pool.
bool MayBeginWith(const Pool& pool, PoolOffset run, ExtentKind kind);

// Marks the header of the run as erased. The mark is persistent after the next fence of this
// thread.
void EraseExtentHeader(Pool* pool, PoolOffset run);

// Returns true if the header of the run is marked as erased. Zeros are not such a mark, but damage.
bool IsErasedExtentHeader(const Pool& pool, PoolOffset run);

// Returns true if `bytes` (ExtentHeader::kSize of them) are a header that was written at `run` for
// the pool whose folded id is `pool`. Sets *length to the number of extents in the run.
bool IsExtentHeader(const char* bytes, PoolOffset run, uint64_t pool, uint32_t* length);

// Reads the header at the start of a run. Corruption, naming the pool offset, if the run is not in
// the pool from end to end or has no valid header.
Status ReadExtentHeader(const Pool& pool, PoolOffset run, ExtentHeader* header);

// Same as ReadExtentHeader, but also returns Corruption if the header differs from `expected`. The
// message names the first field that differs.
Status CheckExtentHeader(const Pool& pool, PoolOffset run, const ExtentHeader& expected);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_EXTENT_HEADER_H_
