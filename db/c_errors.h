// How the C interface hands out bytes and errors.
#ifndef BUSHSTORE_DB_C_ERRORS_H_
#define BUSHSTORE_DB_C_ERRORS_H_

#include <cstdlib>
#include <cstring>

#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// A malloc'ed copy of the bytes and a zero behind them; never null for an empty string, because
// null stands for absence.
inline char* MallocCopy(const Slice& bytes) {
  char* copy = static_cast<char*>(malloc(bytes.size() + 1));
  if (copy == nullptr) return nullptr;
  memcpy(copy, bytes.data(), bytes.size());
  copy[bytes.size()] = '\0';
  return copy;
}

// Puts a failure's message in place of what *errptr held. Returns whether `status` is a failure.
inline bool SaveError(char** errptr, const Status& status) {
  if (status.ok()) return false;
  free(*errptr);
  *errptr = MallocCopy(status.ToString());
  return true;
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_C_ERRORS_H_
