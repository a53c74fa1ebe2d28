// The iterator that callers see: it returns the newest visible version of each key that is not
// deleted.
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

// The parts of a caller's iterator.
struct DbIterSources {
  const InternalKeyComparator* comparator;    // not owned
  std::unique_ptr<ReadAhead> read_ahead;      // consulted by `entries`
  std::unique_ptr<InternalIterator> entries;  // all versions, over internal keys
  SequenceNumber sequence;                    // the newest one that is visible
  ValueResolver values;                       // may be without a pool
  std::shared_ptr<const ReadView> view;       // kept until `entries` is destroyed; may be null
  SeekCompactionSink* seek_sink = nullptr;    // not owned; null, or `view` is set
  ReadTriggeredCompaction* read_triggered_compaction = nullptr;  // likewise
};

// Returns a new iterator, which the caller deletes.
Iterator* NewDbIterator(DbIterSources sources);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_DB_ITER_H_
