// The bytes of a pool that is damaged, for reading what is left of it: mapped without libpmemobj,
// which refuses pools that it does not believe in, and without any effect on the files.
#ifndef BUSHSTORE_PMEM_MEDIA_SALVAGE_MAPPING_H_
#define BUSHSTORE_PMEM_MEDIA_SALVAGE_MAPPING_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/bad_blocks.h"
#include "pmem/media/pool_files.h"

namespace leveldb {

// Unmapped by the destructor.
class SalvageMapping {
 public:
  // Maps all files of the pool one after the other. Pages with bad blocks read as zeros, and so
  // does what a file that was cut short lacks of its last extent.
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
  // Maps one file at `place`.
  Status MapPart(const PoolFiles::Part& part, uint64_t pool_offset);
  Status BlankPages(const ByteRange& pages);

  char* reserved_ = nullptr;
  uint64_t reserved_bytes_ = 0;
  char* base_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_SALVAGE_MAPPING_H_
