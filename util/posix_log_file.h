// A write-ahead log on a POSIX system: a file that is written record by record, each of which must
// have been handed to the system when it is acknowledged.
//
// The end of the file is mapped, and an append is a copy to the mapping instead of a system call.
// An append of many pages is a call, which takes less time than as many page faults. Like written
// bytes, copied bytes survive the end of the process; Sync makes them survive a loss of power.
// Space is allocated ahead, so that a full disk is reported by a call and not by a store to memory;
// if it cannot be allocated, the rest of the file is written by calls.
//
//     | flushed | pending: all but its first 8 bytes | zeros, allocated ahead |
//               ^ written last, at Flush, by one store
//
// So a process that dies leaves zeros instead of the first header of what it had not flushed. Zeros
// follow the last record until the file is closed, which cuts them off; readers of the log format
// pass over them. (docs/formats.md)
#ifndef BUSHSTORE_UTIL_POSIX_LOG_FILE_H_
#define BUSHSTORE_UTIL_POSIX_LOG_FILE_H_

#include <string>

#include "leveldb/env.h"
#include "leveldb/status.h"
#include "util/posix_writable_file.h"

namespace leveldb {

// Returns whether a file of this name is a write-ahead log: digits and ".log".
bool IsLogFileName(const std::string& fname);

// Opens a log file as OpenWritableFile does. Equals OpenWritableFile on file systems that are not
// known to keep what they allocate.
Status OpenLogFile(const std::string& fname, WriteMode mode, WritableFile** result);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_LOG_FILE_H_
