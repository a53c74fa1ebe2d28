// What a repair knows about a table whose every entry has been read, and the tools its steps share.
#ifndef BUSHSTORE_DB_OPEN_SALVAGED_TABLE_H_
#define BUSHSTORE_DB_OPEN_SALVAGED_TABLE_H_

#include <algorithm>
#include <cstdint>

#include "db/files/table_cache.h"
#include "db/state/resolved_options.h"
#include "entry/internal_key.h"

namespace leveldb {

// The sequences met in some entries. Starts out empty.
struct SequenceRange {
  SequenceNumber smallest = kMaxSequenceNumber;
  SequenceNumber largest = 0;

  void Add(SequenceNumber sequence) {
    smallest = std::min(smallest, sequence);
    largest = std::max(largest, sequence);
  }
};

// A sound table of the database directory.
struct SalvagedTable {
  uint64_t number = 0;
  uint64_t size = 0;
  uint64_t entries = 0;
  InternalKey smallest;
  InternalKey largest;
  SequenceRange sequences;
  int level = 0;        // where it goes; means nothing while the levels are not known
  bool is_new = false;  // written by this repair
};

// What the steps of a repair work with.
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
