// Writes the tables of one job: a sorted run of entries, divided where OutputCutter says.
#ifndef BUSHSTORE_DB_JOBS_TABLE_RUN_H_
#define BUSHSTORE_DB_JOBS_TABLE_RUN_H_

#include <cstdint>
#include <deque>
#include <functional>
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

  // `grandparents` is as for OutputCutter and must outlive the run. The tables stay in the system's
  // cache if `in_memory` is true, or if all data fits into memory.
  TableRun(const JobContext& context, const std::vector<FileMetaPtr>& grandparents, bool in_memory);
  TableRun(const TableRun&) = delete;
  TableRun& operator=(const TableRun&) = delete;

  // Appends an entry; begins a new table if the current one has to end.
  Status Add(const Slice& key, const Slice& value);

  // Completes the last table and waits until all tables are durable. Calls `yield`, which may run a
  // flush, after each table that it has waited for.
  Status Finish(const std::function<void()>& yield);

  // Removes all tables. REQUIRES: nothing refers to the run, and nothing will.
  void Abandon();

  // Adds the tables of a finished run to *edit.
  void AddTo(int level, VersionEdit* edit) const;

  Slice last_key() const;
  Status status() const;
  // The total size and the number of the complete tables.
  uint64_t bytes() const { return bytes_; }
  size_t tables() const { return finished_.size() + complete_.size(); }

 private:
  Status Open();
  Status Complete();
  uint64_t UnsyncedBytes() const;
  Status FinishOldest();
  Status FinishAllComplete(const std::function<void()>& yield);

  const JobContext context_;
  OutputCutter cutter_;
  const bool in_memory_;
  std::unique_ptr<TableOutput> output_;
  // Complete tables that are not synced yet. The device writes them while the next table is made;
  // if every table were synced at once, the job would wait for the device each time.
  std::deque<std::unique_ptr<TableOutput>> complete_;
  std::vector<std::unique_ptr<TableOutput>> finished_;
  uint64_t bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TABLE_RUN_H_
