// Writes a plain database from one sorted stream of keys, for backups.
#ifndef BUSHSTORE_DB_OPEN_PLAIN_COPY_H_
#define BUSHSTORE_DB_OPEN_PLAIN_COPY_H_

#include <memory>
#include <string>
#include <vector>

#include "db/files/table_cache.h"
#include "db/open/open_steps.h"
#include "db/open/salvage_output.h"
#include "db/open/salvaged_table.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Writes and syncs the manifest of a database that consists of `tables` only. SetCurrentFile makes
// it current. Also creates the log that the manifest names, which is empty and newer than all
// others, so that none of them is replayed.
Status WriteManifestOf(RepairContext* context, const std::vector<SalvagedTable>& tables,
                       SequenceNumber last_sequence, uint64_t manifest_number);

// Used by one thread. Until Finish() succeeds, there is no database in the directory, and the
// destructor removes the files written.
class PlainCopy {
 public:
  // Creates the directory `target` if it does not exist, and locks it. Returns InvalidArgument if
  // it contains a database, or a file with so high a number that none is left for the copy.
  static Status Create(const Options& options, const std::string& target,
                       std::unique_ptr<PlainCopy>* copy);
  ~PlainCopy();
  PlainCopy(const PlainCopy&) = delete;
  PlainCopy& operator=(const PlainCopy&) = delete;

  // REQUIRES: keys ascend.
  Status Add(const Slice& user_key, const Slice& value);

  // Completes the database.
  Status Finish();

 private:
  static constexpr uint64_t kFirstFileNumber = 2;

  PlainCopy(const Options& options, const std::string& target);
  Status FindFirstNumber();

  DirectoryLock lock_;
  const std::unique_ptr<ResolvedOptions> resolved_;
  TableCache table_cache_;
  RepairContext context_;
  std::vector<SalvagedTable> tables_;
  SalvageOutput output_;
  std::string key_;  // the internal one
  uint64_t first_number_ = kFirstFileNumber;
  bool is_finished_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_PLAIN_COPY_H_
