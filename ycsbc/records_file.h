// A file beside the store that says which records are in it, and in which version: a later run goes
// on from there, and checks what an earlier one has written.
#ifndef BUSHSTORE_YCSBC_RECORDS_FILE_H_
#define BUSHSTORE_YCSBC_RECORDS_FILE_H_

#include <cstdint>
#include <string>

#include "ycsbc/core_workload.h"
#include "ycsbc/record_ledger.h"

namespace leveldb::ycsbc {

inline constexpr char kRecordsFileName[] = "ycsbc.records";

struct RecordsFile {
  std::string binding;  // whose store it is
  std::string shape;    // of keys and values: see ShapeOf
  // False from a run's first write to its end: which versions there are is not known if it
  // does not come to its end.
  bool is_complete = false;
  uint64_t first = 0;
  uint64_t count = 0;  // records [first, first + count) are there; 0 if not complete
};

// The properties that keys and values depend on, as text.
std::string ShapeOf(const CoreWorkload& workload);

// Whether the directory has such a file.
bool HasRecordsFile(const std::string& directory);

// Each returns what is wrong as a sentence without a full stop, or "".
std::string LoadRecordsFile(const std::string& directory, RecordsFile* file);
// Gives the ledger, which must have room, the versions. REQUIRES: LoadRecordsFile found a complete
// one.
std::string LoadVersions(const std::string& directory, RecordLedger* ledger);
// Saves the first `file.count` entries of the ledger; it may be null if they are none.
std::string SaveRecordsFile(const std::string& directory, const RecordsFile& file,
                            const RecordLedger* ledger);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RECORDS_FILE_H_
