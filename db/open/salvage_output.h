// Writes the tables of a repair: one sorted stream of entries, thinned out and cut into files.
//
// Of each key only the newest version is written: which one that is, is decided by the sequences in
// the entries and not by the age or the place of the files that they come from. A tombstone is
// written like a value. It still hides older versions in the repair's inputs, should the repair
// stop before they are out of the way and be run again.
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
  // A finished table is appended to `*tables`. Both pointers must outlive this object.
  SalvageOutput(RepairContext* context, std::vector<SalvagedTable>* tables)
      : context_(context), tables_(tables) {}

  // Adds an entry, in a new table once the present one is as large as tables get to be. Does
  // nothing for a version that is not the newest. Corruption if `key` is no internal key. REQUIRES:
  // `key` does not sort before the keys of earlier calls.
  Status Add(const Slice& key, const Slice& value);

  // Completes the last table. To be called once, at the end.
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
