// Merges overlapping tables of a repair into tables that do not overlap (see salvage_output.h for
// what is kept).
#ifndef BUSHSTORE_DB_OPEN_TABLE_MERGE_H_
#define BUSHSTORE_DB_OPEN_TABLE_MERGE_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "db/open/salvaged_table.h"
#include "leveldb/iterator.h"
#include "leveldb/status.h"

namespace leveldb {

// Used once, by one thread.
class TableMerge {
 public:
  // `context` must outlive this object.
  TableMerge(RepairContext* context, std::vector<SalvagedTable> inputs);

  // Appends the merged tables to `*outputs`. An error leaves the inputs as they are; tables in
  // `*outputs` are then incomplete.
  Status Run(std::vector<SalvagedTable>* outputs);

 private:
  Status OpenTablesUpToHere();
  Status Advance(std::unique_ptr<Iterator> source);

  RepairContext* const context_;
  const std::vector<SalvagedTable> inputs_;  // by smallest key
  size_t next_input_ = 0;
  std::vector<std::unique_ptr<Iterator>> sources_;  // a heap: the one with the least key in front
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_TABLE_MERGE_H_
