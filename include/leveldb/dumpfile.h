// DumpFile: writes the contents of one of the store's files as text.

#ifndef LEVELDB_INCLUDE_DUMPFILE_H_
#define LEVELDB_INCLUDE_DUMPFILE_H_

#include <string>

#include "leveldb/env.h"
#include "leveldb/export.h"
#include "leveldb/status.h"

namespace leveldb {

// Appends a readable form of fname to *dst, which is not closed and still belongs to the caller.
// The file may be a log, a manifest or a table; its name determines the kind. The text ends with a
// newline. Returns InvalidArgument for a file of unknown kind; damage inside the file is described
// in the text where possible.
LEVELDB_EXPORT Status DumpFile(Env* env, const std::string& fname, WritableFile* dst);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_DUMPFILE_H_
