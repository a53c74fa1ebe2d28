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

// Safe for concurrent use from several threads.
class BlockSource {
 public:
  // The part of a mapped block that is prefetched: all of it, what a search reads, or nothing
  // because it has been prefetched before.
  enum class PrefetchMode { kAll, kSearched, kNothing };

  // Owns neither file nor cache; both must outlive the source. The cache may be null, and so may
  // `pages`, which is the same file. Every report of damage names the file unless `file_name` is
  // empty.
  BlockSource(RandomAccessFile* file, const FilePages* pages, uint64_t file_size, Cache* cache,
              const std::string& file_name);

  // Reads the end of the file, and notes whether it is mapped. Returns Corruption if the file is
  // not a table. Must be called by one thread, before others use the source.
  Status ReadFooter(Footer* footer);

  // Pins the contents of the block at `handle`, uncompressed. Uses blocks that a mapped file holds
  // uncompressed in place; looks for others in the cache, and inserts them there if
  // options.fill_cache is set. Returns Corruption if there is no such block or it is damaged,
  // IOError if it can't be read or memory can't be allocated.
  Status Fetch(const ReadOptions& options, const BlockHandle& handle, PinnedBlock* block,
               PrefetchMode prefetch = PrefetchMode::kAll) const;

  // Returns whether the block cache has the block at `handle`.
  bool IsCached(const BlockHandle& handle) const;

  // Returns whether the block cache may have some block of the file.
  bool HasCached() const { return has_cached_.load(std::memory_order_relaxed); }

  // Removes the block at `handle` from the block cache.
  void Uncache(const BlockHandle& handle) const;

  // Prefetches what a search reads of the block at `handle`, which Fetch with `options` will have
  // to get, into the processor's caches. Returns false if it has not: the file is not mapped, or
  // the cache may have the block, or the block may not be in memory. In that case the device starts
  // to read it.
  bool PrefetchBlock(const ReadOptions& options, const BlockHandle& handle) const;

  // Notes the size of an entry of a mapped block that a search has found.
  void NoteEntry(const Slice& entry) const { entry_spacing_.Note(entry); }

  // Does the same as Fetch without the cache, for blocks that are read once. Copies nothing that is
  // mapped.
  Status FetchOnce(bool verify_checksums, const BlockHandle& handle, PinnedBlock* block) const;

  // Does the same as FetchOnce with checksums, into memory of the block's own, for contents that
  // stay in memory.
  Status FetchToKeep(const BlockHandle& handle, PinnedBlock* block) const;

  // Returns the file's pages, or null if the file has none or they are not known.
  const FilePages* pages() const { return pages_; }

  // Returns "block at offset N: what", the form of every message about a block of this file.
  Status BlockCorruption(uint64_t offset, const char* what) const;

 private:
  static constexpr size_t kCacheKeySize = 16;

  // A block as it is stored on disk.
  struct StoredBlock {
    Slice payload;
    uint8_t type = 0;
    bool mapped = false;  // the payload stays valid as long as the file
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

  // Whether some block has been put into the cache. Until then no look-up is needed, so a mapped
  // file without compression never needs one.
  mutable std::atomic<bool> has_cached_{false};

  uintptr_t mapping_;  // the address at which the file is mapped; 0: it is not
  mutable EntrySpacing entry_spacing_;

  const std::string file_name_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BLOCK_SOURCE_H_
