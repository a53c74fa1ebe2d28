// Writes the tables of a repair from one sorted stream of entries: drops old versions and splits
// the output into files.
//
// Only the newest version of each key is written. The sequences in the entries determine which one
// is the newest, not the age or the path of the files that they come from. A tombstone is written
// like a value: it still hides older versions in the repair's inputs, should the repair stop before
// these are removed and be run again.
#ifndef BUSHSTORE_DB_OPEN_SALVAGE_OUTPUT_H_
#define BUSHSTORE_DB_OPEN_SALVAGE_OUTPUT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/files/table_output.h"
#include "db/open/salvaged_table.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Used by one thread.
class SalvageOutput {
 public:
  // Appends finished tables to `*tables`. Both pointers must outlive this object.
  SalvageOutput(RepairContext* context, std::vector<SalvagedTable>* tables)
      : context_(context), tables_(tables) {}

  // Adds an entry, in a new table once the current one has the maximum size. Does nothing for a
  // version that is not the newest. Returns Corruption if `key` is not an internal key. REQUIRES:
  // `key` does not sort before the keys of earlier calls.
  Status Add(const Slice& key, const Slice& value);

  // Completes the last table. Must be called once, at the end.
  Status Finish();

 private:
  Status FinishTable();

  RepairContext* const context_;
  std::vector<SalvagedTable>* const tables_;
  std::unique_ptr<TableOutput> output_;
  SequenceRange sequences_;  // of the table that is being written
  std::string last_user_key_;
  bool has_last_user_key_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_SALVAGE_OUTPUT_H_
