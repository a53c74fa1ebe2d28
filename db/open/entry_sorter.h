// Writes entries that come in any order (from logs or damaged tables) to sorted tables.
//
// From files that a database no longer used, a repair takes only the deletions. A deletion hides
// what was written before it, in whichever file that is found again, and nothing else, so an
// unnecessary deletion is harmless; a value from such a file may have been deleted since.
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

  // Returns whether an entry of that type is taken, and counts it if it is not. Must be called once
  // for each entry.
  bool TakesType(ValueType type) {
    const bool takes = taken_ == TakenTypes::kEverything || type == kTypeDeletion;
    passed_over_ += takes ? 0 : 1;
    return takes;
  }

  // Returns how many entries were not taken.
  uint64_t passed_over() const { return passed_over_; }

  // Adds an entry and copies both slices. REQUIRES: `key` has at least kTrailerSize bytes and a
  // type that is taken.
  Status Add(const Slice& key, const Slice& value);

  // Writes the entries collected so far.
  Status Flush();

  // Returns the write error that Add() or Flush() has met.
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
