// Removes the persistent-memory tier from an open database, while reads and writes continue.
//
//   the state in PMEM becomes "leaving" -> all trees are spilled, memtables are flushed to tables
//   from now on -> the log continues as a file, and what was logged in the pool is flushed -> a
//   manifest without the tier becomes current -> the pool is removed -> the file PMEM is removed
//
// A crash before the manifest is switched leaves a database with the tier, and possibly with log
// files that continue the pool's logs; a crash after it leaves a pool that the next open removes
// (pool_attach.h, open_steps.cc).
#ifndef BUSHSTORE_DB_DRAIN_H_
#define BUSHSTORE_DB_DRAIN_H_

#include "db/open/open_steps.h"
#include "db/write/write_queue.h"
#include "leveldb/status.h"

namespace leveldb {

// Drains the database as described above. Returns OK if there is no tier. One call at a time. The
// pool stays mapped, because iterators may refer to it; a device is not removed before the database
// is closed.
Status DrainDatabase(OpenParts* parts, WriteQueue* write_queue);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DRAIN_H_
