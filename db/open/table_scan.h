// Reads the entries of a table file that may be damaged, and reports the damage.
//
// Unlike a TableReader it verifies everything, needs no comparator, and continues after damage:
//
//  1. If footer and index are intact, every data block they name is read; a damaged one is skipped.
//     The metaindex and the blocks it names are verified too: a filter with a flipped bit would
//     hide keys.
//  2. Otherwise (the file was truncated, or the index is damaged) the blocks are found from the
//     front by their checksums: a block begins where the last one ended, and ends where the five
//     bytes that follow are its trailer. This finds all data blocks up to the first damaged one.
#ifndef BUSHSTORE_DB_OPEN_TABLE_SCAN_H_
#define BUSHSTORE_DB_OPEN_TABLE_SCAN_H_

#include <cstdint>
#include <string>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Receives the results of a scan, in the order of the file.
class TableScanHandler {
 public:
  virtual ~TableScanHandler() = default;

  // Called with an entry of an intact block. Its key need not be an internal key, and the order of
  // entries is unspecified. The slices are valid during the call. Returns false to end the scan.
  virtual bool Entry(const Slice& key, const Slice& value) = 0;

  // Called if the bytes [offset, offset + size) of the file are damaged.
  virtual void Damage(uint64_t offset, uint64_t size, const std::string& what) = 0;

  // Called if the system cannot read the bytes [offset, offset + size).
  virtual void Unreadable(uint64_t offset, uint64_t size, const std::string& what) {
    Damage(offset, size, what);
  }
};

// Scans the table in file `name`. Fails only if the file cannot be opened, or if memory or
// descriptors run out (IsShortage); any problem inside the file, including unreadable ranges, is
// reported to the handler.
Status ScanTable(Env* env, const std::string& name, TableScanHandler* handler);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_TABLE_SCAN_H_
