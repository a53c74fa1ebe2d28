// An iterator over a sequence of sorted parts, such as the tables of one level.
#ifndef BUSHSTORE_ITERATOR_TWO_LEVEL_H_
#define BUSHSTORE_ITERATOR_TWO_LEVEL_H_

#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"

namespace leveldb {

// Opens the part that an index value names, as an iterator for the caller to delete; an error is
// returned as an iterator that reports it.
using PartOpener = Iterator* (*)(void* arg, const ReadOptions& options, const Slice& index_value);

// Walks all parts in order. `index` has one entry per part: its key is at or after the last key of
// the part and before the first of the next, its value is passed to `open` together with `arg` and
// `options`. Only the part stood on is open.
//
// Owns `index` but not `arg`; the caller deletes the result. A part that cannot be opened or read
// is skipped, and status() tells the first such failure from then on.
Iterator* NewTwoLevelIterator(Iterator* index, PartOpener open, void* arg,
                              const ReadOptions& options);

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_TWO_LEVEL_H_
