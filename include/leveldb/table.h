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

// Safe for use from several threads.
class LEVELDB_EXPORT Table {
 public:
  // Opens the table in file, which is file_size bytes long, and stores it in *table; the caller
  // deletes it. On failure stores null in *table and returns Corruption if the file is not a valid
  // table, or IOError if it cannot be read. The file belongs to the caller; the file and everything
  // that options points to must outlive the table.
  static Status Open(const Options& options, RandomAccessFile* file, uint64_t file_size,
                     Table** table);

  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  ~Table();

  // Returns an iterator over the table, which is initially invalid. The caller must delete it
  // before the table.
  Iterator* NewIterator(const ReadOptions& options) const;

  // Returns the approximate offset in the file, in bytes, at which the data of key begins (or would
  // begin if the key were present). For a key after the last one, returns a value close to the
  // length of the file.
  uint64_t ApproximateOffsetOf(const Slice& key) const;

 private:
  struct Rep;

  explicit Table(Rep* rep) : rep_(rep) {}

  Rep* const rep_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_TABLE_H_
