// The iterator over one tree.
#ifndef BUSHSTORE_PMEM_BPTREE_ITER_H_
#define BUSHSTORE_PMEM_BPTREE_ITER_H_

#include "leveldb/iterator.h"
#include "pmem/bptree/tree_context.h"

namespace leveldb {

struct TreeMeta;

// Over the internal keys of the tree of that meta, which must outlive the iterator. The caller
// deletes the result.
Iterator* NewTreeIterator(const TreeContext& context, const TreeMeta* meta, bool verify_checksums);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_ITER_H_
