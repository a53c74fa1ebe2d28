// TableBuilder: writes one table file from entries that arrive in order.
//
// Thread-safety: const members may run concurrently; anything else needs exclusive access.

#ifndef LEVELDB_INCLUDE_TABLE_BUILDER_H_
#define LEVELDB_INCLUDE_TABLE_BUILDER_H_

#include <cstdint>

#include "leveldb/export.h"
#include "leveldb/options.h"
#include "leveldb/status.h"

namespace leveldb {

class Slice;
class WritableFile;

class LEVELDB_EXPORT TableBuilder {
 public:
  // Builds into file, which stays the caller's to sync and close and must outlive the builder, as
  // must what options points to.
  TableBuilder(const Options& options, WritableFile* file);

  TableBuilder(const TableBuilder&) = delete;
  TableBuilder& operator=(const TableBuilder&) = delete;

  // REQUIRES: Finish() or Abandon() has been called.
  ~TableBuilder();

  // Changes the options for what is built from now on. InvalidArgument, and nothing changes, when
  // the comparator would change.
  Status ChangeOptions(const Options& options);

  // Adds an entry. The bytes are needed during the call only.
  // REQUIRES: key sorts after all keys added before; neither Finish() nor Abandon() was called.
  void Add(const Slice& key, const Slice& value);

  // Closes the current data block: the next entry begins a new one. Rarely useful.
  // REQUIRES: neither Finish() nor Abandon() was called.
  void Flush();

  // OK, or the first error met.
  Status status() const;

  // Writes what remains. The file is then complete and is not used any more.
  // REQUIRES: neither Finish() nor Abandon() was called.
  Status Finish();

  // Gives the table up: what was buffered is dropped, and the caller should delete the file.
  // REQUIRES: neither Finish() nor Abandon() was called.
  void Abandon();

  // Entries added.
  uint64_t NumEntries() const;

  // Bytes written so far; after Finish(), the length of the file.
  uint64_t FileSize() const;

 private:
  friend class TableBuilderAccess;  // The store's own view of rep_.
  struct Rep;

  Rep* rep_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_TABLE_BUILDER_H_
