// A file for writing on a POSIX system.
//
// Appends are collected in a buffer, which one write(2) hands over: at Flush, or when the buffer is
// full. Appends that are larger than the buffer go straight to the system. The buffer holds 64 KiB,
// or 2 MiB for a long file if the file system prefers large blocks.
//
// Syncs and errors are those of posix_output.
#ifndef BUSHSTORE_UTIL_POSIX_WRITABLE_FILE_H_
#define BUSHSTORE_UTIL_POSIX_WRITABLE_FILE_H_

#include <string>

#include "leveldb/env.h"
#include "leveldb/status.h"

namespace leveldb {

enum class WriteMode {
  kTruncate,  // An empty file, new or emptied.
  kAppend,    // After the end of the file; made if missing.
};

enum class WriteBlocks {
  kPreferred,  // As large as the file system prefers.
  kLarge,
};

// Opens a file for writing and stores it in *result for the caller to delete; null on failure.
Status OpenWritableFile(const std::string& fname, WriteMode mode, WritableFile** result,
                        WriteBlocks blocks = WriteBlocks::kPreferred);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_WRITABLE_FILE_H_
