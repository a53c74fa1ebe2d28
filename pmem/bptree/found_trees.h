// Finds trees by what their first runs say, whether a manifest names them or not: for a repair
// whose manifest has lost some. What the database does not name any more was made unknowable when
// its extents became free (Extents::Forget).
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

// All of them, by number. Among them may be trees that were never finished, and after a crash some
// that have been replaced.
std::vector<FoundTree> FindTrees(const Pool& pool);

// Whether the tree that `record` names seems to have been given up: the header of its first run was
// erased, or is that of something else. `found` is what FindTrees has returned; of the context,
// pool and comparator are used.
bool SeemsForgotten(const TreeContext& context, const TreeRecord& record,
                    const std::vector<FoundTree>& found);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_FOUND_TREES_H_
