// NewMemEnv: an Env that keeps its files in memory, for tests and temporary databases.

#ifndef LEVELDB_INCLUDE_HELPERS_MEMENV_H_
#define LEVELDB_INCLUDE_HELPERS_MEMENV_H_

#include "leveldb/export.h"

namespace leveldb {

class Env;

// Returns an Env whose files are kept in memory and exist as long as the Env. Clocks, threads and
// the remaining functions are those of base_env, which belongs to the caller and must outlive the
// result. The caller deletes the result after everything that uses it. Safe for use from several
// threads.
LEVELDB_EXPORT Env* NewMemEnv(Env* base_env);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_HELPERS_MEMENV_H_
