// The tables that one job writes: a sorted run of entries, cut where tables are to end.
#ifndef BUSHSTORE_DB_JOBS_TABLE_RUN_H_
#define BUSHSTORE_DB_JOBS_TABLE_RUN_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "db/decide/output_cutter.h"
#include "db/files/table_output.h"
#include "db/jobs/job_context.h"
#include "db/version/version_edit.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Used by one thread at a time.
class TableRun {
 public:
  static constexpr bool kChecksOrder = false;

  // `grandparents` as of OutputCutter; must outlive the run. The tables stay in the system's cache
  // if `in_memory` says so, or if all data fits into memory.
  TableRun(const JobContext& context, const std::vector<FileMetaPtr>& grandparents, bool in_memory);
  TableRun(const TableRun&) = delete;
  TableRun& operator=(const TableRun&) = delete;

  // Adds an entry behind all others, in a new table if the one before has to end.
  Status Add(const Slice& key, const Slice& value);

  // Completes the last table and waits until all are durable.
  Status Finish();

  // Removes all tables. For a run that nothing refers to, and never will.
  void Abandon();

  // Adds the tables of a finished run to *edit.
  void AddTo(int level, VersionEdit* edit) const;

  Slice last_key() const;
  Status status() const;
  // What the complete tables have together, and how many they are.
  uint64_t bytes() const { return bytes_; }
  size_t tables() const { return finished_.size() + complete_.size(); }

 private:
  Status Open();
  Status Complete();
  Status FinishOldest();

  const JobContext context_;
  OutputCutter cutter_;
  const bool in_memory_;
  std::unique_ptr<TableOutput> output_;
  // The device is writing these while the next one is made: each sync by itself would make the job
  // wait for its turn.
  std::deque<std::unique_ptr<TableOutput>> complete_;
  std::vector<std::unique_ptr<TableOutput>> finished_;
  uint64_t bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TABLE_RUN_H_
