// Reads what a repair can save entries from: tables, which may be damaged, and logs.
#ifndef BUSHSTORE_DB_OPEN_REPAIR_SOURCES_H_
#define BUSHSTORE_DB_OPEN_REPAIR_SOURCES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "db/open/entry_sorter.h"
#include "db/open/record_numbering.h"
#include "db/open/salvaged_table.h"
#include "leveldb/status.h"

namespace leveldb {

// What was wrong with a file.
struct DamageReport {
  uint64_t places = 0;     // that could not be understood
  uint64_t bytes = 0;      // in those places
  uint64_t end_bytes = 0;  // at the end of a log, that are no whole record, as after a crash
};

// Each of these reads the file `name` of the database directory to its end. It fails if the file
// can't be opened, or if something can't be written; damage in the file goes into `*damage`, and
// line by line into the info log.

// What the sorter does not take is not counted.

// Verifies a table and tells its size, its bounds and the like in `*table` (all but its number).
Status CheckTable(const RepairContext& context, const std::string& name, SalvagedTable* table,
                  DamageReport* damage);

// Adds the readable entries of a table that is damaged, or was given up, to `*sorter` and their
// sequences to `*sequences`. `*entries` is how many there were.
Status SalvageTable(const RepairContext& context, const std::string& name, EntrySorter* sorter,
                    uint64_t* entries, SequenceRange* sequences);

// Adds the entries of a log's intact records to `*sorter` and their sequences to `*sequences`.
// `*entries` is how many there were. A batch that is not intact is left out as a whole. Which
// batches are added, and under which numbers, is decided by `*numbering`.
Status SalvageLog(const RepairContext& context, const std::string& name, EntrySorter* sorter,
                  uint64_t* entries, SequenceRange* sequences, RecordNumbering* numbering,
                  DamageReport* damage);

// Whether the newest writes of a log are in the tables, or newer ones (applied_log.h).
bool IsAppliedLog(const RepairContext& context, const std::vector<SalvagedTable>& tables,
                  const std::string& name);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_SOURCES_H_
