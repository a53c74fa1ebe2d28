// Takes an open database out of its persistent-memory tier, while reads and writes go on.
//
//   PMEM says "leaving" -> all trees are spilled, memtables are flushed to tables from now on ->
//   the log goes on as a file, and what was logged in the pool is flushed -> a manifest without the
//   tier becomes current -> the pool is removed -> the file PMEM is removed
//
// A crash before the manifest is switched leaves a database with the tier, and perhaps with log
// files behind the pool's logs; one after it leaves a pool that the next open removes
// (pool_attach.h, open_steps.cc).
#ifndef BUSHSTORE_DB_DRAIN_H_
#define BUSHSTORE_DB_DRAIN_H_

#include "db/open/open_steps.h"
#include "db/write/write_queue.h"
#include "leveldb/status.h"

namespace leveldb {

// Does all that; OK if there is no tier. One call at a time. The pool stays mapped, because
// iterators may lead there, and so does a device.
Status DrainDatabase(OpenParts* parts, WriteQueue* write_queue);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DRAIN_H_
