// Describes a table whose entries a repair has read completely, and the state that its steps share.
#ifndef BUSHSTORE_DB_OPEN_SALVAGED_TABLE_H_
#define BUSHSTORE_DB_OPEN_SALVAGED_TABLE_H_

#include <algorithm>
#include <cstdint>

#include "db/files/table_cache.h"
#include "db/state/resolved_options.h"
#include "entry/internal_key.h"

namespace leveldb {

// The range of the sequences of some entries. Initially empty.
struct SequenceRange {
  SequenceNumber smallest = kMaxSequenceNumber;
  SequenceNumber largest = 0;

  void Add(SequenceNumber sequence) {
    smallest = std::min(smallest, sequence);
    largest = std::max(largest, sequence);
  }
};

// An intact table of the database directory.
struct SalvagedTable {
  uint64_t number = 0;
  uint64_t size = 0;
  uint64_t entries = 0;
  InternalKey smallest;
  InternalKey largest;
  SequenceRange sequences;
  int level = 0;        // in the repaired database; undefined while the levels are not known
  bool is_new = false;  // written by this repair
};

// The state that the steps of a repair share.
struct RepairContext {
  const ResolvedOptions* resolved;
  TableCache* table_cache;
  uint64_t next_file_number;

  const Options& options() const { return resolved->options; }
  const std::string& dbname() const { return resolved->dbname; }
  Env* env() const { return resolved->options.env; }
  Logger* info_log() const { return resolved->options.info_log; }
  const InternalKeyComparator& comparator() const { return resolved->internal_comparator; }

  uint64_t NewFileNumber() { return next_file_number++; }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_SALVAGED_TABLE_H_
