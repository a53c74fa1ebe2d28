// TableReader: reads one immutable table file. The public class Table is a thin shell around it.
//
// A lookup goes: index block -> filter -> data block. Where the file is mapped and the block not
// compressed, all of it works on the bytes of the file and allocates nothing.
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

// Bytes that open tables hold in the memory of the process.
struct TableMemory {
  size_t indexes = 0;
  size_t filters = 0;
};

// Safe for use from several threads.
class TableReader {
 public:
  // Opens the table in `file`, which is file_size bytes long. The file and what `options` points
  // to must outlive the reader. On failure *reader is null: Corruption when the file is no table.
  // Damage to the filter is no failure; the table then works without.
  static Status Open(const Options& options, RandomAccessFile* file, uint64_t file_size,
                     std::unique_ptr<TableReader>* reader);

  // The same with more known about the keys, as `order` replaces options.comparator, and about the
  // file: its pages, which are null or the file once more, and its name, which is then told with
  // its damage.
  static Status Open(const Options& options, const KeyOrder& order, RandomAccessFile* file,
                     const FilePages* pages, uint64_t file_size, const std::string& file_name,
                     std::unique_ptr<TableReader>* reader);

  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  // All entries. The caller deletes the iterator, before the reader. A data block that cannot be
  // read is skipped, and status() tells the first such failure from then on.
  PrefetchableIterator* NewIterator(const ReadOptions& options,
                                    const ScanHints& hints = ScanHints()) const;

  // Calls found(arg, entry key, value) for the first entry at or after `key`, unless that cannot
  // have an equal key: because the filter says so, or because it is in a later data block than
  // `key` would be. The slices are good during the call.
  Status Get(const ReadOptions& options, const Slice& key, void* arg,
             void (*found)(void* arg, const Slice& key, const Slice& value)) const;

  TableMemory Memory() const;

  // Takes the table's blocks out of the block cache, where they would stay until others push them
  // out: for a table whose file is to be removed. A reader may put some back.
  void UncacheBlocks() const;

  // About where in the file the data of `key` begins or would begin; behind the last key, the end
  // of the data.
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
