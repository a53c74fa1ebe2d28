// TableReader: reads one immutable table file. Implements the public class Table.
//
// A lookup reads the index block, the filter and then the data block. If the file is mapped and the
// block not compressed, it works on the bytes of the file and allocates nothing.
#ifndef BUSHSTORE_TABLE_TABLE_READER_H_
#define BUSHSTORE_TABLE_TABLE_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "iterator/key_order.h"
#include "iterator/prefetchable_iterator.h"
#include "iterator/scan_hints.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "table/block_handle.h"
#include "table/block_source.h"
#include "table/filter_block.h"
#include "table/pinned_block.h"
#include "table/table_index.h"

namespace leveldb {

class FilePages;

// The memory that open tables use, in bytes.
struct TableMemory {
  size_t indexes = 0;
  size_t filters = 0;
};

// Safe for concurrent use from several threads.
class TableReader {
 public:
  // Opens the table in `file`, which is file_size bytes long. The file and what `options` points to
  // must outlive the reader. On failure *reader is null; the status is Corruption if the file is
  // not a table. A damaged filter is no failure; the table is then read without it.
  static Status Open(const Options& options, RandomAccessFile* file, uint64_t file_size,
                     std::unique_ptr<TableReader>* reader);

  // Does the same with more known about the keys and the file. `order` replaces options.comparator;
  // `pages` is null or the same file; every report of damage names `file_name` unless it is empty.
  static Status Open(const Options& options, const KeyOrder& order, RandomAccessFile* file,
                     const FilePages* pages, uint64_t file_size, const std::string& file_name,
                     std::unique_ptr<TableReader>* reader);

  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  // Returns an iterator over all entries. The caller deletes it, before the reader. It skips data
  // blocks that cannot be read, and status() returns the first such error from then on.
  PrefetchableIterator* NewIterator(const ReadOptions& options,
                                    const ScanHints& hints = ScanHints()) const;

  // Calls found(arg, entry key, value) for the first entry at or after `key`, unless that cannot
  // have an equal key because the filter excludes it or it is in a later data block than `key`
  // would be. The slices are valid during the call.
  Status Get(const ReadOptions& options, const Slice& key, void* arg,
             void (*found)(void* arg, const Slice& key, const Slice& value)) const;

  TableMemory Memory() const;

  // Removes the table's blocks from the block cache, where they would otherwise stay until they are
  // evicted: for a table whose file will be removed. Concurrent readers may insert some again.
  void UncacheBlocks() const;

  // Returns the approximate file offset at which the data of `key` begins or would begin; after the
  // last key, that of the end of the data.
  uint64_t ApproximateOffsetOf(const Slice& key) const;

 private:
  TableReader(const Options& options, const KeyOrder& order, RandomAccessFile* file,
              const FilePages* pages, uint64_t file_size, const std::string& file_name);

  Status Load(const Options& options);
  void LoadFilter(const FilterPolicy* policy, const BlockHandle& metaindex);

  BlockSource source_;
  TableIndex index_;
  uint64_t data_end_ = 0;
  PinnedBlock filter_pinned_;
  FilterBlock filter_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_TABLE_READER_H_
