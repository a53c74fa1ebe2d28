// Table: reads one immutable, sorted table file.

#ifndef LEVELDB_INCLUDE_TABLE_H_
#define LEVELDB_INCLUDE_TABLE_H_

#include <cstdint>

#include "leveldb/export.h"
#include "leveldb/iterator.h"

namespace leveldb {

struct Options;
class RandomAccessFile;
struct ReadOptions;

// Thread-safety: safe for use from several threads.
class LEVELDB_EXPORT Table {
 public:
  // Opens the table in file, which is file_size bytes long, and stores it in *table for the caller
  // to delete. On failure *table is null: Corruption when the file is no table, IOError when it
  // cannot be read. The file stays the caller's and must outlive the table, as must what options
  // points to.
  static Status Open(const Options& options, RandomAccessFile* file, uint64_t file_size,
                     Table** table);

  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  ~Table();

  // An iterator over the table, standing on nothing yet. The caller deletes it, before the table.
  Iterator* NewIterator(const ReadOptions& options) const;

  // About where in the file the data of key begins (or would, if it were there), in bytes. Behind
  // the last key: close to the length of the file.
  uint64_t ApproximateOffsetOf(const Slice& key) const;

 private:
  struct Rep;

  explicit Table(Rep* rep) : rep_(rep) {}

  Rep* const rep_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_TABLE_H_
