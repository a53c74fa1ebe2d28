// Repairs the pool's part of a database: its contents are salvaged like those of tables and logs,
// and then it is set aside, so that the repaired database is a plain one.
//
// The state in the file PMEM becomes "aside" before the manifest without the tier becomes current.
// A crash before that leaves the database as it was; after a crash that follows it, the next open
// finishes (pool_attach.h).
#ifndef BUSHSTORE_DB_OPEN_REPAIR_POOL_H_
#define BUSHSTORE_DB_OPEN_REPAIR_POOL_H_

#include <memory>
#include <string>

#include "db/open/entry_sorter.h"
#include "db/open/pmem_file.h"
#include "db/open/pool_salvage.h"
#include "db/open/repair_survey.h"
#include "db/open/salvaged_table.h"
#include "leveldb/status.h"
#include "pmem/media/pool.h"

namespace leveldb {

// Used by one thread.
class RepairPool {
 public:
  // `context` must outlive this object. With `without_pool` the pool is not read.
  RepairPool(const RepairContext* context, bool without_pool)
      : context_(context), without_pool_(without_pool) {}

  // Finds and opens the database's pool. A manifest that does not name a pool in use is no longer
  // trusted, nor is one from another time than the pool. An error says what can be done without the
  // pool.
  Status Find(RepairSurvey* survey);

  // Returns whether there is, or was, anything in a pool: then the levels of tables mean nothing.
  bool is_used() const { return is_used_; }

  // Returns whether the pool was not read because the caller requested that.
  bool is_left_out() const { return is_used_ && without_pool_; }

  // Adds what can be read of the pool to `*sorter`, and what remains in it of trees and logs that
  // the database has dropped to `*obsolete`.
  Status Save(const RepairSurvey& survey, EntrySorter* sorter, EntrySorter* obsolete,
              SequenceRange* sequences);

  // PrepareToLeave must be called before the new manifest becomes current, Leave after it.
  Status PrepareToLeave();
  Status Leave();

  // Returns a line for each thing that is lost because the pool was not read.
  std::string DescribeLoss(const RepairSurvey& survey) const;

  uint64_t entries() const { return entries_; }
  uint64_t damaged_places() const { return damaged_places_; }

 private:
  Status Open(const RepairSurvey& survey);
  void CompareEpochs(RepairSurvey* survey) const;
  Status CheckTrees(const RepairSurvey& survey) const;
  Status SaveTrees(const RepairSurvey& survey, PoolSalvage* salvage, PoolSalvage* obsolete) const;
  Status SaveLogs(const RepairSurvey& survey, PoolSalvage* salvage, PoolSalvage* obsolete) const;

  const RepairContext* const context_;
  const bool without_pool_;
  bool is_used_ = false;
  bool has_file_ = false;
  bool is_of_another_ = false;
  bool is_ours_ = false;  // the pool at the path that the PMEM file names
  PmemFile file_;
  std::unique_ptr<Pool> pool_;
  uint64_t entries_ = 0;
  uint64_t damaged_places_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_POOL_H_
