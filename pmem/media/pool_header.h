// PoolHeader: libpmemobj's header, which is the first 4,096 bytes of a pool, as far as BushStore
// changes it.
//
//      0  signature         8 bytes   "PMEMOBJ" and a zero
//     12  compatible        fixed32   optional features: 1 refuse a pool with bad blocks
//     16  incompatible      fixed32   mandatory features: 1 single header, 2 sum of 2 KiB,
//                                     4 unsafe-shutdown state
//   4088  sum               fixed64   Fletcher-64 of the header; this word counts as zeros, and
//                                     with the sum of 2 KiB everything from byte 2048 on
//
// Two features are turned off, because each makes libpmemobj refuse a pool whose data are intact:
//   * The unsafe-shutdown state compares counts of the modules under the pool with those noted.
//     They are not noted again when a pool grows, so a pool that grew and was not closed is
//     refused. BushStore has checksums on everything that it reads after a crash instead.
//   * The check for bad blocks refuses a pool for a bad block anywhere, free space included.
//     BushStore locates the bad blocks and does not use the extents that have them (bad_blocks.h).
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_HEADER_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_HEADER_H_

#include <cstddef>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/raw_file.h"

namespace leveldb {

class PoolHeader {
 public:
  static constexpr size_t kBytes = 4096;

  // `file` must outlive this object.
  explicit PoolHeader(const RawFile* file) : file_(file) {}

  // Turns both features off, durably, unless they are off. Leaves a header alone that is not
  // libpmemobj's or is damaged. A change that a power failure interrupts is completed by the next
  // call. REQUIRES: the pool is not open anywhere.
  Status TurnOffRefusals() const;

  // Returns the changed header; empty if it need not change.
  static std::string WithoutRefusals(const std::string& header);

 private:
  const RawFile* const file_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_HEADER_H_
