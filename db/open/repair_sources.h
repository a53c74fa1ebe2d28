// Reads the sources of a repair: tables, which may be damaged, and logs.
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

// What is wrong with a file.
struct DamageReport {
  uint64_t places = 0;     // that could not be decoded
  uint64_t bytes = 0;      // in those parts of the file
  uint64_t end_bytes = 0;  // at the end of a log, that are not a whole record, as after a crash
};

// Each of these functions reads the file `name` of the database directory to its end. It fails if
// the file cannot be opened, or if a write fails; damage in the file is added to `*damage`, and
// logged line by line in the info log. Entries that the sorter does not take are not counted.

// Verifies a table and stores its size, bounds and so on in `*table` (all except its number).
Status CheckTable(const RepairContext& context, const std::string& name, SalvagedTable* table,
                  DamageReport* damage);

// Adds the readable entries of a table that is damaged or was dropped to `*sorter`, and their
// sequences to `*sequences`. Sets `*entries` to their number.
Status SalvageTable(const RepairContext& context, const std::string& name, EntrySorter* sorter,
                    uint64_t* entries, SequenceRange* sequences);

// Adds the entries of a log's intact records to `*sorter` and their sequences to `*sequences`. Sets
// `*entries` to their number. A batch that is not intact is left out as a whole. `*numbering`
// decides which batches are added, and with which numbers.
Status SalvageLog(const RepairContext& context, const std::string& name, EntrySorter* sorter,
                  uint64_t* entries, SequenceRange* sequences, RecordNumbering* numbering,
                  DamageReport* damage);

// Returns whether the newest writes of a log, or newer ones, are in the tables (applied_log.h).
bool IsAppliedLog(const RepairContext& context, const std::vector<SalvagedTable>& tables,
                  const std::string& name);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_SOURCES_H_
