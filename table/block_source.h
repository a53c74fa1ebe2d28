// BlockSource: fetches the blocks of one table file, through the block cache.
#ifndef BUSHSTORE_TABLE_BLOCK_SOURCE_H_
#define BUSHSTORE_TABLE_BLOCK_SOURCE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "leveldb/cache.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "table/block_handle.h"
#include "table/pinned_block.h"

namespace leveldb {

// Safe for use from several threads.
class BlockSource {
 public:
  // Whether the processor is asked for all of a block that is mapped, or has been before.
  enum class Ask { kBlock, kNothing };

  // Neither file nor cache is owned; both must outlive the source. The cache may be null. The name
  // of the file is told with every damage, unless it is empty.
  BlockSource(RandomAccessFile* file, uint64_t file_size, Cache* cache,
              const std::string& file_name);

  // Reads the end of the file. Corruption when it is no table.
  Status ReadFooter(Footer* footer) const;

  // Pins the contents of the block at `handle`, uncompressed. Blocks that a mapped file holds
  // uncompressed are used in place; others are looked for in the cache, and put there when
  // options.fill_cache says so. Corruption when there is no such block or it is damaged.
  Status Fetch(const ReadOptions& options, const BlockHandle& handle, PinnedBlock* block,
               Ask ask = Ask::kBlock) const;

  // The same without the cache, for blocks that are read once. Copies nothing that is mapped.
  Status FetchOnce(bool verify_checksums, const BlockHandle& handle, PinnedBlock* block) const;

  // "block at offset N: what", the form of every message about a block of this file.
  Status BlockCorruption(uint64_t offset, const char* what) const;

 private:
  static constexpr size_t kCacheKeySize = 16;

  // A block as it lies on disk.
  struct StoredBlock {
    Slice payload;
    uint8_t type = 0;
    bool mapped = false;  // the payload is good as long as the file is
  };

  Status ReadStored(const BlockHandle& handle, char* scratch, bool verify_checksums, Ask ask,
                    StoredBlock* stored) const;
  Status FetchFromFile(const BlockHandle& handle, bool verify_checksums, Ask ask, Cache* fill,
                       PinnedBlock* block) const;
  Status Unpack(const StoredBlock& stored, uint64_t offset, Cache* fill, PinnedBlock* block) const;
  bool LookUp(const BlockHandle& handle, PinnedBlock* block) const;
  void MakeCacheKey(uint64_t offset, char* key) const;
  Status Named(const Status& failure) const;

  RandomAccessFile* const file_;
  const uint64_t file_size_;
  Cache* const cache_;
  const uint64_t cache_id_;

  // Whether some block has been put into the cache. Before that it need not be asked, and a mapped
  // file without compression never asks.
  mutable std::atomic<bool> has_cached_{false};

  const std::string file_name_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BLOCK_SOURCE_H_
