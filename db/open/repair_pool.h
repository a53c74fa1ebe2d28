// The pool's part in a repair: what is in it is saved like the rest, and then it is set aside, so
// that the repaired database is a plain one.
//
// The file PMEM says "aside" before the manifest without the tier becomes current. A crash in
// between leaves the database as it was; one after it is finished by the next open (pool_attach).
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
  // `context` must outlive this object. With `without_pool` the pool is left unread.
  RepairPool(const RepairContext* context, bool without_pool)
      : context_(context), without_pool_(without_pool) {}

  // Looks for the database's pool and opens it. A manifest that does not know of a pool in use is
  // not believed any more, nor is one of another time than the pool. An error says what can be
  // done without the pool.
  Status Find(RepairSurvey* survey);

  // Whether there is, or was, anything in a pool: then levels mean nothing any more.
  bool is_used() const { return is_used_; }

  // Whether it was not read, because that was asked for.
  bool is_left_out() const { return is_used_ && without_pool_; }

  // Adds what can be read of the pool to `*sorter`, and what is left in it of trees and logs that
  // the database has given up to `*obsolete`.
  Status Save(const RepairSurvey& survey, EntrySorter* sorter, EntrySorter* obsolete,
              SequenceRange* sequences);

  // To be called before the new manifest becomes current, and after.
  Status PrepareToLeave();
  Status Leave();

  // A line for each thing that is lost because the pool was not read.
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
  bool is_ours_ = false;  // what is at the place that the PMEM file names
  PmemFile file_;
  std::unique_ptr<Pool> pool_;
  uint64_t entries_ = 0;
  uint64_t damaged_places_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_POOL_H_
