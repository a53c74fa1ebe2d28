// NewMemEnv: a world of files that lives in memory, for tests and throw-away databases.

#ifndef LEVELDB_INCLUDE_HELPERS_MEMENV_H_
#define LEVELDB_INCLUDE_HELPERS_MEMENV_H_

#include "leveldb/export.h"

namespace leveldb {

class Env;

// An Env whose files exist in memory only, and die with it. Time, threads and the rest come from
// base_env, which stays the caller's and must outlive the result. The caller deletes the result,
// after everything that uses it. Safe for use from several threads.
LEVELDB_EXPORT Env* NewMemEnv(Env* base_env);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_HELPERS_MEMENV_H_
