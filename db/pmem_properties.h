// The property "leveldb.pmem": metrics of a database's persistent-memory tier.
#ifndef BUSHSTORE_DB_PMEM_PROPERTIES_H_
#define BUSHSTORE_DB_PMEM_PROPERTIES_H_

#include <string>

#include "leveldb/slice.h"

namespace leveldb {

class DbState;
struct ReadView;

// Reads "leveldb.pmem" (name is empty: all metrics for humans, one per line) or
// "leveldb.pmem.<name>" (a single metric). Returns false, leaving `*value` as it is, if there is no
// such metric or the database has no tier.
//
//   pool-bytes             current size of the pool      pool-ceiling       maximum size
//   pool-used-bytes        in extents that are in use    pool-use           that, as a share
//   trees-at-level<N>      trees of the group            leaf-bytes         of all their leaves
//   dram-bytes             for inner nodes and filters
//   hint-bytes             for the hints about where values are
//   value-extents          runs that hold large values   value-live-bytes   what trees refer to
//   garbage-share          of those runs
//   user-bytes             keys and values written since the database was opened
//   log-bytes, value-bytes, flush-bytes, merge-bytes, gc-bytes
//                          bytes written to the pool for them, by cause
//   spill-bytes            written to tables out of the pool
//   ssd-bytes              written to tables in all
//   pm-bytes-per-user-byte, ssd-bytes-per-user-byte
//   flushes, merges, gc-jobs, spills
//                          jobs that have finished
//   logs                   with entries that are in no tree or table yet, including the current log
//   stalls, stall-micros   times a writer waited for a flush, for level 0 or for space in the pool,
//                          and the total duration
//   flush-moves            times a waiting writer found the flush not running and had it moved to
//                          its own processor
//   full-waits             times a writer waited for space in the pool
//   delays                 times a writer was delayed before it had to wait
//   fences, flushed-lines  of the persist layer
//   medium                 what the pool is on and what survives there, as text
//   lost                   1 if a page of the pool has been lost
//   background-error       why writes fail, as text; OK if they do not
bool ReadPmemProperty(DbState* state, const ReadView& view, const Slice& name, std::string* value);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_PMEM_PROPERTIES_H_
