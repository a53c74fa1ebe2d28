// TableBuilder: writes one table file from entries in sorted order.
//
// Thread-safety: const members may run concurrently; any other call requires external
// synchronization.

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
  // Creates a builder that writes to file. The file belongs to the caller, which syncs and closes
  // it. The file and everything that options points to must outlive the builder.
  TableBuilder(const Options& options, WritableFile* file);

  TableBuilder(const TableBuilder&) = delete;
  TableBuilder& operator=(const TableBuilder&) = delete;

  // REQUIRES: Finish() or Abandon() has been called.
  ~TableBuilder();

  // Changes the options for the rest of the table. Returns InvalidArgument, and changes nothing, if
  // the comparator would change.
  Status ChangeOptions(const Options& options);

  // Adds an entry. The bytes are used only during the call.
  // REQUIRES: key sorts after all keys added before; neither Finish() nor Abandon() was called.
  void Add(const Slice& key, const Slice& value);

  // Finishes the current data block, so that the next entry begins a new one. Rarely needed.
  // REQUIRES: neither Finish() nor Abandon() was called.
  void Flush();

  // Returns OK, or the first error met.
  Status status() const;

  // Writes the rest of the table. The file is complete afterwards; the builder does not use it any
  // more.
  // REQUIRES: neither Finish() nor Abandon() was called.
  Status Finish();

  // Abandons the table: buffered data is dropped, and the caller should delete the file.
  // REQUIRES: neither Finish() nor Abandon() was called.
  void Abandon();

  // Returns the number of entries added.
  uint64_t NumEntries() const;

  // Returns the number of bytes written so far; after Finish(), the length of the file.
  uint64_t FileSize() const;

 private:
  friend class TableBuilderAccess;  // Gives the store's own code access to rep_.
  struct Rep;

  Rep* rep_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_TABLE_BUILDER_H_
