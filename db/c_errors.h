// Returns bytes and errors through the C interface.
#ifndef BUSHSTORE_DB_C_ERRORS_H_
#define BUSHSTORE_DB_C_ERRORS_H_

#include <cstdlib>
#include <cstring>

#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Returns a malloc'ed copy of the bytes, followed by a zero; also for an empty string, because null
// means absence. Returns null if there is no memory.
inline char* MallocCopy(const Slice& bytes) {
  char* copy = static_cast<char*>(malloc(bytes.size() + 1));
  if (copy == nullptr) return nullptr;
  memcpy(copy, bytes.data(), bytes.size());
  copy[bytes.size()] = '\0';
  return copy;
}

// Replaces *errptr by the message of a failure. Returns whether `status` is a failure.
inline bool SaveError(char** errptr, const Status& status) {
  if (status.ok()) return false;
  free(*errptr);
  *errptr = MallocCopy(status.ToString());
  return true;
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_C_ERRORS_H_
