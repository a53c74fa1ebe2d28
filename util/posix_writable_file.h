// A file for writing on a POSIX system.
//
// Appends gather in a buffer, and one write(2) hands them over: at Flush, or when the buffer is
// full. Appends that are larger than the buffer go straight to the system.
//
// The first Sync also syncs the directory, since a file is as lost with its name as with its bytes.
//
// Errors stick: after a write or sync has failed nobody knows what the file holds (a second sync
// may even succeed after the system has thrown the bytes away), so every later call but the
// destructor fails too.
#ifndef BUSHSTORE_UTIL_POSIX_WRITABLE_FILE_H_
#define BUSHSTORE_UTIL_POSIX_WRITABLE_FILE_H_

#include <string>

#include "leveldb/env.h"
#include "leveldb/status.h"

namespace leveldb {

enum class WriteMode {
  kTruncate,  // An empty file, new or emptied.
  kAppend,    // Behind the end of what there is; made if missing.
};

// Opens a file for writing and stores it in *result for the caller to delete; null on failure.
Status OpenWritableFile(const std::string& fname, WriteMode mode, WritableFile** result);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_WRITABLE_FILE_H_
