// Decides where a job ends one output table and begins the next.

#ifndef BUSHSTORE_DB_DECIDE_OUTPUT_CUTTER_H_
#define BUSHSTORE_DB_DECIDE_OUTPUT_CUTTER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "db/version/file_meta.h"
#include "entry/internal_key.h"
#include "leveldb/slice.h"

namespace leveldb {

// Used by one job, with keys in ascending order.
class OutputCutter {
 public:
  // `grandparents` are the tables of the level below the outputs' that overlap the job. They and
  // `comparator` must outlive the cutter.
  OutputCutter(const std::vector<FileMetaPtr>& grandparents,
               const InternalKeyComparator* comparator, uint64_t max_file_size);

  // Returns whether the open output, with `last_key` as its last key, should end before `next_key`
  // (both internal keys): because with `next_key` it would be `output_bytes` long, which reaches
  // max_file_size, or because it overlaps so much of the level below its own that compacting it
  // later would be expensive. Entries of one user key are never separated. Must be called for every
  // key that is written, also when no output is open (then with an empty `last_key`; the result is
  // false).
  bool CutBefore(const Slice& next_key, uint64_t output_bytes, const Slice& last_key);

 private:
  void PassGrandparentsBefore(const Slice& key);

  const std::vector<FileMetaPtr>& grandparents_;
  const InternalKeyComparator* const comparator_;
  const uint64_t max_file_size_;
  const uint64_t max_overlap_bytes_;
  size_t next_grandparent_ = 0;
  uint64_t overlap_bytes_ = 0;  // of grandparents passed since the open output began
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_OUTPUT_CUTTER_H_
