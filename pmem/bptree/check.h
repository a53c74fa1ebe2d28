// Checks a whole tree and reports what is wrong with it.
#ifndef BUSHSTORE_PMEM_BPTREE_CHECK_H_
#define BUSHSTORE_PMEM_BPTREE_CHECK_H_

#include "leveldb/status.h"
#include "pmem/bptree/tree.h"
#include "pmem/bptree/tree_context.h"

namespace leveldb {

// Reads every leaf and the header of every extent, and checks that filter and separators lead to
// every entry. `report` may be empty. Returns OK, or Corruption with the first finding.
Status CheckTree(const TreeContext& context, const TreeMeta& meta, const Tree::Report& report);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_CHECK_H_
