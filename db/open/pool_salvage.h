// Saves what can be read of a pool: the entries of trees and logs, with their values.
//
// Everything is verified. Of a tree, every leaf that is whole is saved, whatever has become of the
// rest of it (tree_salvage.h); of a log, every record that is whole, up to the first that is not.
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
  // `context` and `pool` must outlive this object. Entries go to `*sorter`, their sequences to
  // `*sequences`.
  PoolSalvage(const RepairContext* context, Pool* pool, EntrySorter* sorter,
              SequenceRange* sequences)
      : context_(context), pool_(pool), sorter_(sorter), sequences_(sequences) {}

  // Whether the database seems to have given the tree up after the manifest has named it; `found`
  // is what FindTrees has returned.
  bool SeemsForgotten(const TierSurvey::NamedTree& tree,
                      const std::vector<FoundTree>& found) const {
    return leveldb::SeemsForgotten(MakeTreeContext(), tree.record, found);
  }

  // Errors are those of writing. What could not be read is told in the info log, and counted.
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
