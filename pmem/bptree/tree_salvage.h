// Reads the sound parts of a damaged tree: every leaf whose checksum is right, and nothing else.
//
// If footer and index can be read, they tell where each leaf is, even if headers of runs are
// damaged: the leaves themselves prove that they belong to the tree. Values have checksums of their
// own, so the headers of their extents are not needed, either. Without the index, the leaves are
// searched for (leaf_scan.h).
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_SALVAGE_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_SALVAGE_H_

#include <functional>

#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/found_trees.h"
#include "pmem/bptree/tree_context.h"
#include "pmem/bptree/tree_record.h"

namespace leveldb {

using VisitEntry = std::function<Status(const Slice& internal_key, const Slice& value)>;
using ReportDamage = std::function<void(const Status& damage)>;

// Passes every entry of a sound leaf of the tree that `record` names to `visit`, once, in no
// particular order; the value is the value, or the reference of an entry of kTypeValueRef. Passes
// every damage to `report`. Stops when `visit` fails, and returns its error. Takes no references:
// the caller makes sure that nothing is written to the pool meanwhile. Only the context's pool and
// comparator are used.
Status SalvageTree(const TreeContext& context, const TreeRecord& record, const VisitEntry& visit,
                   const ReportDamage& report);

// Does the same for a tree of which only number and salt are known. Cannot tell how much of it has
// been lost.
Status SalvageFoundTree(const TreeContext& context, const FoundTree& tree, const VisitEntry& visit,
                        const ReportDamage& report);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_SALVAGE_H_
