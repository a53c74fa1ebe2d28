// What "leveldb.pmem" says of a database's persistent-memory tier.
#ifndef BUSHSTORE_DB_PMEM_PROPERTIES_H_
#define BUSHSTORE_DB_PMEM_PROPERTIES_H_

#include <string>

#include "leveldb/slice.h"

namespace leveldb {

class DbState;
struct ReadView;

// Answers "leveldb.pmem" (name is empty: everything, for people, one figure per line) or
// "leveldb.pmem.<name>": a single figure. Returns false, leaving `*value` as it is, if there is no
// such figure or the database has no tier.
//
//   pool-bytes             what the pool takes now       pool-ceiling       what it may grow to
//   pool-used-bytes        in extents that are in use    pool-use           that, as a share
//   trees-at-level<N>      trees of the group            leaf-bytes         of all their leaves
//   dram-bytes             for inner nodes and filters
//   hint-bytes             for where values lie
//   value-extents          runs that hold large values   value-live-bytes   what trees refer to
//   garbage-share          of those runs
//   user-bytes             keys and values written since the database was opened
//   log-bytes, value-bytes, flush-bytes, merge-bytes, gc-bytes
//                          what that came to in the pool, by cause
//   spill-bytes            written to tables out of the pool
//   ssd-bytes              written to tables in all
//   pm-bytes-per-user-byte, ssd-bytes-per-user-byte
//   flushes, merges, gc-jobs, spills
//                          jobs that have finished
//   logs                   whose entries are in no tree or table yet, that of the present included
//   stalls, stall-micros   times a writer waited for a flush, for level 0 or for room in the pool,
//                          and how long that took in all
//   flush-moves            times one found the flush not running and had it moved to its processor
//   full-waits             how often it was room in the pool
//   delays                 times a writer was slowed down before it came to that
//   fences, flushed-lines  of the persist seam
//   lost                   1 if a page of the pool has been lost
//   background-error       why writes fail, in words; OK if they don't
bool ReadPmemProperty(DbState* state, const ReadView& view, const Slice& name, std::string* value);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_PMEM_PROPERTIES_H_
