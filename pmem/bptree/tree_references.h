// The references that a tree holds on extents: its own, and those that its entries refer to.
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_REFERENCES_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_REFERENCES_H_

#include "leveldb/status.h"
#include "pmem/bptree/tree_context.h"

namespace leveldb {

struct TreeMeta;

// Looks at the header of every extent that the tree names: Corruption if one is not what the tree
// takes it for.
Status CheckTreeExtents(const TreeContext& context, const TreeMeta& meta);

// Marks all of them as used: Corruption if one is no extent; nothing is marked then.
Status MarkTreeExtents(const TreeContext& context, const TreeMeta& meta);

// For a new tree, which has its own extents already: takes references on those that its entries
// refer to. REQUIRES: somebody else holds these meanwhile.
void ReferenceValueExtents(const TreeContext& context, const TreeMeta& meta);

// Gives all references back: to context.retired, or at once without it.
void DropTreeExtents(const TreeContext& context, const TreeMeta& meta);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_REFERENCES_H_
