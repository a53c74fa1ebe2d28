// A file for writing on a POSIX system.
//
// Appends gather in a buffer, and one write(2) hands them over: at Flush, or when the buffer is
// full. Appends that are larger than the buffer go straight to the system. The buffer holds 64 KiB,
// or, of a long file where the file system asks for large blocks, 2 MiB.
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
  kAppend,    // Behind the end of what there is; made if missing.
};

enum class WriteBlocks {
  kPreferred,  // As large as the file system asks for.
  kLarge,
};

// Opens a file for writing and stores it in *result for the caller to delete; null on failure.
Status OpenWritableFile(const std::string& fname, WriteMode mode, WritableFile** result,
                        WriteBlocks blocks = WriteBlocks::kPreferred);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_WRITABLE_FILE_H_
