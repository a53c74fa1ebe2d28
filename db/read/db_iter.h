// The iterator that callers see: of all versions of all keys, the newest visible one of each key
// that is not deleted.
#ifndef BUSHSTORE_DB_READ_DB_ITER_H_
#define BUSHSTORE_DB_READ_DB_ITER_H_

#include <functional>
#include <memory>

#include "db/read/read_sampler.h"
#include "db/read/read_triggered_compaction.h"
#include "db/read/value_resolve.h"
#include "db/state/read_view.h"
#include "entry/internal_key.h"
#include "iterator/internal_iterator.h"
#include "iterator/read_ahead.h"
#include "leveldb/iterator.h"

namespace leveldb {

// What a caller's iterator is made of.
struct DbIterSources {
  const InternalKeyComparator* comparator;    // not owned
  std::unique_ptr<ReadAhead> read_ahead;      // what `entries` ask
  std::unique_ptr<InternalIterator> entries;  // all versions, over internal keys
  SequenceNumber sequence;                    // the newest one that is visible
  ValueResolver values;                       // may be without a pool
  std::shared_ptr<const ReadView> view;       // kept until `entries` is gone; may be null
  SeekCompactionSink* seek_sink = nullptr;    // not owned; null, or `view` is set
  ReadTriggeredCompaction* read_triggered_compaction = nullptr;  // likewise
};

// The caller deletes the result.
Iterator* NewDbIterator(DbIterSources sources);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_DB_ITER_H_
