// Turns entries that come in any order (of logs, of damaged tables) into sorted tables.
//
// A repair takes only the deletions from files that a database no longer used. A deletion hides
// what was written before it, wherever that turns up again, and nothing else, so one too many is
// harmless; a value from such a file may be one that was deleted since.
#ifndef BUSHSTORE_DB_OPEN_ENTRY_SORTER_H_
#define BUSHSTORE_DB_OPEN_ENTRY_SORTER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "db/open/salvaged_table.h"
#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

enum class TakenTypes { kEverything, kDeletions };

// Collects entries up to the size of a memtable, then sorts and writes them (see salvage_output.h
// for what is kept). The tables of one collection do not overlap each other, those of different
// collections may. Used by one thread.
class EntrySorter {
 public:
  // Tables are appended to `*tables`. Both pointers must outlive this object.
  EntrySorter(RepairContext* context, std::vector<SalvagedTable>* tables,
              TakenTypes taken = TakenTypes::kEverything)
      : context_(context), tables_(tables), taken_(taken) {}

  // Whether an entry of that type is taken; one that is not is counted. To be asked once for each
  // entry.
  bool TakesType(ValueType type) {
    const bool takes = taken_ == TakenTypes::kEverything || type == kTypeDeletion;
    passed_over_ += takes ? 0 : 1;
    return takes;
  }

  // How many entries were not taken.
  uint64_t passed_over() const { return passed_over_; }

  // Copies both slices. REQUIRES: `key` has at least kTrailerSize bytes, and is of a type that is
  // taken.
  Status Add(const Slice& key, const Slice& value);

  // Writes what has been collected.
  Status Flush();

  // The error that Add() or Flush() has met in writing.
  const Status& status() const { return status_; }

 private:
  Status WriteSorted();

  RepairContext* const context_;
  std::vector<SalvagedTable>* const tables_;
  const TakenTypes taken_;
  std::vector<std::pair<std::string, std::string>> entries_;
  Status status_;
  uint64_t passed_over_ = 0;
  size_t bytes_ = 0;  // about what entries_ takes in memory
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_ENTRY_SORTER_H_
