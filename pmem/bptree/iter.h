// The iterator over one tree.
#ifndef BUSHSTORE_PMEM_BPTREE_ITER_H_
#define BUSHSTORE_PMEM_BPTREE_ITER_H_

#include "leveldb/iterator.h"
#include "pmem/bptree/tree_context.h"

namespace leveldb {

class ReadAhead;
struct TreeMeta;

// Over the internal keys of the tree of that meta. While `read_ahead` (may be null) wants it, going
// forward asks for the values of the next entries. Both must outlive the iterator, which the caller
// deletes.
Iterator* NewTreeIterator(const TreeContext& context, const TreeMeta* meta, bool verify_checksums,
                          const ReadAhead* read_ahead);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_ITER_H_
