// SalvageMapping: maps a damaged pool for reading what is left of it, without libpmemobj, which
// refuses damaged pools, and without any effect on the files.
#ifndef BUSHSTORE_PMEM_MEDIA_SALVAGE_MAPPING_H_
#define BUSHSTORE_PMEM_MEDIA_SALVAGE_MAPPING_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/bad_blocks.h"
#include "pmem/media/pool_files.h"

namespace leveldb {

// The destructor unmaps the pool.
class SalvageMapping {
 public:
  // Maps all files of the pool one after the other. Pages with bad blocks read as zeros, and so
  // does the missing part of the last extent of a file that was cut short.
  static Status Map(const PoolFiles& files, const std::vector<ByteRange>& bad_ranges,
                    std::unique_ptr<SalvageMapping>* mapping);
  ~SalvageMapping();

  SalvageMapping(const SalvageMapping&) = delete;
  SalvageMapping& operator=(const SalvageMapping&) = delete;

  char* base() const { return base_; }
  // A multiple of the largest extent size.
  uint64_t bytes() const { return bytes_; }

 private:
  SalvageMapping() = default;

  Status ReserveZeros(uint64_t alignment);
  // Maps one file at `pool_offset`.
  Status MapPart(const PoolFiles::Part& part, uint64_t pool_offset);
  Status BlankPages(const ByteRange& pages);

  char* reserved_ = nullptr;
  uint64_t reserved_bytes_ = 0;
  char* base_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_SALVAGE_MAPPING_H_
