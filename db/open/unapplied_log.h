// Tells a log that was flushed, and that a crash has left, from one that was never applied.
#ifndef BUSHSTORE_DB_OPEN_UNAPPLIED_LOG_H_
#define BUSHSTORE_DB_OPEN_UNAPPLIED_LOG_H_

#include <string>

#include "entry/internal_key.h"
#include "leveldb/env.h"

namespace leveldb {

// Whether the log file at `path`, which the manifest does not ask for any more, has a write after
// `last_sequence`, the last one that the manifest knows of: then it is of another session, as where
// two copies of a directory were brought together. Also true if the file can't be read.
bool IsUnappliedLog(Env* env, const std::string& path, SequenceNumber last_sequence);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_UNAPPLIED_LOG_H_
