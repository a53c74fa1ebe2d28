// Finds trees by the headers of their first runs, whether or not a manifest names them, for a
// repair whose manifest has lost some. Trees that the database no longer names are not found: their
// headers are erased when their extents become free (Extents::Forget).
#ifndef BUSHSTORE_PMEM_BPTREE_FOUND_TREES_H_
#define BUSHSTORE_PMEM_BPTREE_FOUND_TREES_H_

#include <cstdint>
#include <vector>

#include "pmem/bptree/tree_context.h"
#include "pmem/bptree/tree_record.h"
#include "pmem/media/pool.h"

namespace leveldb {

struct FoundTree {
  uint64_t number = 0;
  uint64_t salt = 0;

  friend bool operator==(const FoundTree& a, const FoundTree& b) = default;
};

// Returns all trees found, by number. They may include trees that were never finished and, after a
// crash, trees that have been replaced.
std::vector<FoundTree> FindTrees(const Pool& pool);

// Returns whether the tree that `record` names seems to have been removed: the header of its first
// run was erased, or is that of something else. `found` is what FindTrees returned; only the
// context's pool and comparator are used.
bool SeemsForgotten(const TreeContext& context, const TreeRecord& record,
                    const std::vector<FoundTree>& found);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_FOUND_TREES_H_
