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
#include "table/entry_spacing.h"
#include "table/pinned_block.h"

namespace leveldb {

class FilePages;

// Safe for use from several threads.
class BlockSource {
 public:
  // What the processor is asked for of a block that is mapped: all, what a search reads, or nothing
  // since it was asked before.
  enum class PrefetchMode { kAll, kSearched, kNothing };

  // Neither file nor cache is owned; both must outlive the source. The cache may be null, as may
  // `pages`, which is the file once more. The name of the file is told with every damage, unless it
  // is empty.
  BlockSource(RandomAccessFile* file, const FilePages* pages, uint64_t file_size, Cache* cache,
              const std::string& file_name);

  // Reads the end of the file, and notes whether it is mapped. Corruption when it is no table.
  // Called by one thread, before others use the source.
  Status ReadFooter(Footer* footer);

  // Pins the contents of the block at `handle`, uncompressed. Blocks that a mapped file holds
  // uncompressed are used in place; others are looked for in the cache, and put there when
  // options.fill_cache says so. Corruption when there is no such block or it is damaged, IOError
  // when it can't be read or finds no memory.
  Status Fetch(const ReadOptions& options, const BlockHandle& handle, PinnedBlock* block,
               PrefetchMode prefetch = PrefetchMode::kAll) const;

  // Whether the block cache has the block at `handle`.
  bool IsCached(const BlockHandle& handle) const;

  // Whether the block cache may have some block of the file.
  bool HasCached() const { return has_cached_.load(std::memory_order_relaxed); }

  // Takes the block at `handle` out of the block cache.
  void Uncache(const BlockHandle& handle) const;

  // Asks the processor for what a search reads of the block at `handle`, which Fetch with `options`
  // will have to get. False if it has not: the file is not mapped, or the cache may have the block,
  // or it may not be in memory. In that case the device is asked for it.
  bool PrefetchBlock(const ReadOptions& options, const BlockHandle& handle) const;

  // Tells of an entry of a mapped block that a search has come to.
  void NoteEntry(const Slice& entry) const { entry_spacing_.Note(entry); }

  // The same without the cache, for blocks that are read once. Copies nothing that is mapped.
  Status FetchOnce(bool verify_checksums, const BlockHandle& handle, PinnedBlock* block) const;

  // FetchOnce with checksums into memory of the block's own, for what is to stay in memory.
  Status FetchToKeep(const BlockHandle& handle, PinnedBlock* block) const;

  // The file's pages, null if the file has none or they are not known.
  const FilePages* pages() const { return pages_; }

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

  Status ReadStored(const BlockHandle& handle, char* scratch, bool verify_checksums,
                    PrefetchMode prefetch, StoredBlock* stored) const;
  Status FetchFromFile(const BlockHandle& handle, bool verify_checksums, PrefetchMode prefetch,
                       Cache* fill, PinnedBlock* block) const;
  Status Unpack(const StoredBlock& stored, uint64_t offset, Cache* fill, PinnedBlock* block) const;
  bool IsInFile(const BlockHandle& handle) const;
  void PrefetchContents(const char* block, uint64_t size, bool verify_checksums,
                        PrefetchMode prefetch) const;
  bool LookUp(const BlockHandle& handle, PinnedBlock* block) const;
  void MakeCacheKey(uint64_t offset, char* key) const;
  Status Named(const Status& failure) const;
  Status NoMemoryFor(uint64_t bytes, uint64_t offset) const;
  Status NoMemoryToUnpack(const StoredBlock& stored, uint64_t bytes, uint64_t offset) const;

  RandomAccessFile* const file_;
  const FilePages* const pages_;
  const uint64_t file_size_;
  Cache* const cache_;
  const uint64_t cache_id_;

  // Whether some block has been put into the cache. Before that it need not be asked, and a mapped
  // file without compression never asks.
  mutable std::atomic<bool> has_cached_{false};

  uintptr_t mapping_;  // where the file is mapped; 0: it is not
  mutable EntrySpacing entry_spacing_;

  const std::string file_name_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BLOCK_SOURCE_H_
