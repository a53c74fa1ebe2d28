// Reads the entries of a table file that may be damaged, and tells what is damaged.
//
// Unlike a TableReader it verifies everything, needs no comparator, and goes on behind damage:
//
//  1. If footer and index are sound, every data block they name is read; a bad one is passed over.
//     The metaindex and the blocks it names are verified too: a filter with a flipped bit would
//     hide keys.
//  2. Otherwise (a file cut short, an index that went bad) the blocks are found from the front by
//     their checksums: a block begins where the last one ended, and it ends where the five bytes
//     that follow are its trailer. That gives all data blocks up to the first bad one.
#ifndef BUSHSTORE_DB_OPEN_TABLE_SCAN_H_
#define BUSHSTORE_DB_OPEN_TABLE_SCAN_H_

#include <cstdint>
#include <string>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Receives what a scan finds, in the order of the file.
class TableScanHandler {
 public:
  virtual ~TableScanHandler() = default;

  // An entry of a sound block. Its key need not be an internal key, and nothing is promised about
  // its order. The slices are good during the call. False ends the scan.
  virtual bool Entry(const Slice& key, const Slice& value) = 0;

  // The file does not hold at [offset, offset + size) what it should.
  virtual void Damage(uint64_t offset, uint64_t size, const std::string& what) = 0;

  // The system does not give out what is there.
  virtual void Unreadable(uint64_t offset, uint64_t size, const std::string& what) {
    Damage(offset, size, what);
  }
};

// Scans the table in file `name`. Fails only if the file can't be opened, or if memory or
// descriptors run out (IsShortage); whatever is wrong inside it, unreadable places included, is for
// the handler.
Status ScanTable(Env* env, const std::string& name, TableScanHandler* handler);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_TABLE_SCAN_H_
