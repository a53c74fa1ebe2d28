// A file on a POSIX system that is written record by record, each of which must be with the system
// when it is acknowledged: a write-ahead log.
//
// The end of the file is mapped, and appending is a copy to the mapping instead of a call to the
// system, but for pieces of many pages, which a call fills in less time than as many faults take.
// What has been copied survives the end of the process as what was written does; Sync makes
// it survive a loss of power. Space is allocated ahead, so that a full disk is an error of a call
// and not of a store to memory; where it can't be, the rest of the file is written by calls.
//
//     | flushed | pending: all but its first 8 bytes | zeros, allocated ahead |
//               ^ written last, at Flush, by one store
//
// So a process that dies leaves of what it had not flushed no more than zeros in the place of the
// first header. Zeros follow the last record until the file is closed, which cuts them off; readers
// of the log format pass over them. (docs/formats.md)
#ifndef BUSHSTORE_UTIL_POSIX_LOG_FILE_H_
#define BUSHSTORE_UTIL_POSIX_LOG_FILE_H_

#include <string>

#include "leveldb/env.h"
#include "leveldb/status.h"
#include "util/posix_writable_file.h"

namespace leveldb {

// Whether a file of this name is a write-ahead log: digits and ".log".
bool IsLogFileName(const std::string& fname);

// As OpenWritableFile, which it is on file systems that are not known to keep what they allocate.
Status OpenLogFile(const std::string& fname, WriteMode mode, WritableFile** result);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_LOG_FILE_H_
