// DumpFile: prints one of the store's files as text.

#ifndef LEVELDB_INCLUDE_DUMPFILE_H_
#define LEVELDB_INCLUDE_DUMPFILE_H_

#include <string>

#include "leveldb/env.h"
#include "leveldb/export.h"
#include "leveldb/status.h"

namespace leveldb {

// Appends a readable form of fname (a log, a manifest or a table, told by its name) to *dst, which
// stays the caller's and is not closed. Ends with a newline. InvalidArgument for a file of no known
// kind; damage inside the file is shown in the text where possible.
LEVELDB_EXPORT Status DumpFile(Env* env, const std::string& fname, WritableFile* dst);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_DUMPFILE_H_
