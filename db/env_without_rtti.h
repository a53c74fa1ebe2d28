// An Env with its own table files, compiled without run-time type information.
#ifndef BUSHSTORE_DB_ENV_WITHOUT_RTTI_H_
#define BUSHSTORE_DB_ENV_WITHOUT_RTTI_H_

#include <memory>

#include "leveldb/env.h"

namespace leveldb {

// Returns an Env that forwards its calls to `base`, which must outlive it.
std::unique_ptr<Env> NewEnvWithoutRtti(Env* base);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_ENV_WITHOUT_RTTI_H_
