// The references that a tree holds on extents: on its own, and on those that its entries refer to.
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_REFERENCES_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_REFERENCES_H_

#include "leveldb/status.h"
#include "pmem/bptree/tree_context.h"

namespace leveldb {

struct TreeMeta;

// Checks the header of every extent that the tree names. Returns Corruption if one does not match.
Status CheckTreeExtents(const TreeContext& context, const TreeMeta& meta);

// Marks all these extents as used. Returns Corruption, without side effects, if one is not an
// extent.
Status MarkTreeExtents(const TreeContext& context, const TreeMeta& meta);

// Takes references on the extents that the entries of a new tree refer to; it has its own extents
// already. REQUIRES: the caller holds references on these extents meanwhile.
void ReferenceValueExtents(const TreeContext& context, const TreeMeta& meta);

// Releases all references: to context.retired, or at once if that is null.
void DropTreeExtents(const TreeContext& context, const TreeMeta& meta);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_REFERENCES_H_
