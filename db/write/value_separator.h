// ValueSeparator decides which values stay with their keys and which go to value extents of the
// pool.
#ifndef BUSHSTORE_DB_WRITE_VALUE_SEPARATOR_H_
#define BUSHSTORE_DB_WRITE_VALUE_SEPARATOR_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "db/write/writer.h"
#include "entry/compact_batch.h"
#include "leveldb/status.h"
#include "pmem/value/value_writer.h"

namespace leveldb {

// Used by one thread at a time.
class ValueSeparator {
 public:
  // Values of `smallest_bytes` or more are separated; empty ones never. Nothing is owned.
  ValueSeparator(uint64_t smallest_bytes, ValueWriter* values)
      : smallest_bytes_(std::max<uint64_t>(smallest_bytes, 1)), values_(values) {}

  // Returns whether a value is separated.
  bool IsLarge(const Slice& value) const { return value.size() >= smallest_bytes_; }

  // Appends the writer's entries to *batch, and their large values to the value extents. Extents
  // that are opened, also before an error, are appended to *opened. Returns the errors of
  // ValueWriter::Append, and Corruption if the writer's batch is malformed.
  Status Separate(const Writer& writer, CompactBatchBuilder* batch,
                  std::vector<PoolOffset>* opened);

  // Two-phase Separate: Plan assigns the values their pool offsets; StorePlanned stores them and
  // completes the references in the batch. Plan returns false if the writer's batch needs another
  // extent or is malformed; the caller then calls ForgetPlanned and takes the ValueWriter back to
  // its earlier position. The writers' values must stay in memory between the two phases.
  bool Plan(const Writer& writer, CompactBatchBuilder* batch);
  void StorePlanned(CompactBatchBuilder* batch);
  void ForgetPlanned() { planned_.clear(); }

 private:
  struct PlannedValue {
    ValueRef reference;
    Slice value;
    size_t spot;  // of the reference in the batch
  };

  Status Put(const Slice& key, const Slice& value, CompactBatchBuilder* batch,
             std::vector<PoolOffset>* opened);
  bool PlanPut(const Slice& key, const Slice& value, CompactBatchBuilder* batch);

  const uint64_t smallest_bytes_;
  ValueWriter* const values_;
  std::vector<PlannedValue> planned_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_VALUE_SEPARATOR_H_
