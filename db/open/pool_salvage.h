// Salvages what can be read of a pool: the entries of trees and logs, with their values.
//
// Everything is verified. Every intact leaf of a tree is saved, even if other parts of the tree are
// damaged (tree_salvage.h). The records of a log are saved up to the first that is not intact.
#ifndef BUSHSTORE_DB_OPEN_POOL_SALVAGE_H_
#define BUSHSTORE_DB_OPEN_POOL_SALVAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "db/open/entry_sorter.h"
#include "db/open/salvaged_table.h"
#include "db/open/tier_survey.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/found_trees.h"
#include "pmem/bptree/tree_context.h"
#include "pmem/media/pool.h"

namespace leveldb {

// Used by one thread.
class PoolSalvage {
 public:
  // `context` and `pool` must outlive this object. Entries are added to `*sorter`, their sequences
  // to `*sequences`.
  PoolSalvage(const RepairContext* context, Pool* pool, EntrySorter* sorter,
              SequenceRange* sequences)
      : context_(context), pool_(pool), sorter_(sorter), sequences_(sequences) {}

  // Returns whether the database seems to have dropped the tree after the manifest has named it;
  // `found` is the result of FindTrees.
  bool SeemsForgotten(const TierSurvey::NamedTree& tree,
                      const std::vector<FoundTree>& found) const {
    return leveldb::SeemsForgotten(MakeTreeContext(), tree.record, found);
  }

  // Return write errors only. What could not be read is logged in the info log, and counted.
  Status SaveTree(const TierSurvey::NamedTree& tree);
  Status SaveFoundTree(const FoundTree& tree);
  Status SaveLog(const LogSlot& slot);

  uint64_t entries() const { return entries_; }
  uint64_t damaged_places() const { return damaged_places_; }

 private:
  TreeContext MakeTreeContext() const;
  Status SaveEntry(const Slice& internal_key, const Slice& value, const std::string& name);
  void NoteDamage(const std::string& name, const Status& status);

  const RepairContext* const context_;
  Pool* const pool_;
  EntrySorter* const sorter_;
  SequenceRange* const sequences_;
  std::string scratch_;
  std::string key_;
  uint64_t entries_ = 0;
  uint64_t damaged_places_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_POOL_SALVAGE_H_
