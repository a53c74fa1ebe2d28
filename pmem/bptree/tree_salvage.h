// Reads what is sound of a damaged tree: every leaf whose checksum is right, and nothing else.
//
// As long as fence block and index can be read, they say where each leaf is, whatever has become of
// the headers of the runs: the leaves themselves tell that they are the tree's. Values have
// checksums of their own, so the headers of their extents are not asked, either. Without the index,
// leaves are looked for (leaf_scan.h).
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

// Shows every entry of a sound leaf of the tree that `record` names to `visit`, once, in no order
// that can be relied on: value is the value, or the reference of an entry of kTypeValueRef. Passes
// every damage to `report`. Stops when `visit` fails, and returns its error. Takes no references:
// meanwhile nothing is written to the pool. Of the context, pool and comparator are used.
Status SalvageTree(const TreeContext& context, const TreeRecord& record, const VisitEntry& visit,
                   const ReportDamage& report);

// The same of a tree of which no more is known than where its runs are looked for. How much of it
// has been lost cannot be told.
Status SalvageFoundTree(const TreeContext& context, const FoundTree& tree, const VisitEntry& visit,
                        const ReportDamage& report);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_SALVAGE_H_
