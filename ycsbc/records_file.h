// The records file is next to the store and says which records are in it, and in which version: a
// later run continues from there, and checks what an earlier one has written.
#ifndef BUSHSTORE_YCSBC_RECORDS_FILE_H_
#define BUSHSTORE_YCSBC_RECORDS_FILE_H_

#include <cstdint>
#include <string>

#include "ycsbc/core_workload.h"
#include "ycsbc/record_ledger.h"

namespace leveldb::ycsbc {

inline constexpr char kRecordsFileName[] = "ycsbc.records";

struct RecordsFile {
  std::string binding;  // of the store
  std::string shape;    // of keys and values: see ShapeOf
  // False from a run's first write to its end: if the run does not end, the versions are not known.
  bool is_complete = false;
  uint64_t first = 0;
  uint64_t count = 0;  // records [first, first + count) are in the store; 0 if not complete
};

// Returns the properties that keys and values depend on, as text.
std::string ShapeOf(const CoreWorkload& workload);

// Returns whether the directory has such a file.
bool HasRecordsFile(const std::string& directory);

// Each returns an error as a sentence without a full stop, or "".
std::string LoadRecordsFile(const std::string& directory, RecordsFile* file);
// Loads the versions into the ledger, which must be large enough. REQUIRES: LoadRecordsFile found a
// complete file.
std::string LoadVersions(const std::string& directory, RecordLedger* ledger);
// Saves the first `file.count` entries of the ledger, which may be null if that is 0.
std::string SaveRecordsFile(const std::string& directory, const RecordsFile& file,
                            const RecordLedger* ledger);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RECORDS_FILE_H_
