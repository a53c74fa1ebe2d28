// MicrosSince measures an elapsed time by a clock that may be set back meanwhile.
#ifndef BUSHSTORE_UTIL_MICROS_SINCE_H_
#define BUSHSTORE_UTIL_MICROS_SINCE_H_

#include <cstdint>

#include "leveldb/env.h"

namespace leveldb {

// Returns the time since `start_micros`; 0 if the clock of `env` has been set back before it.
inline uint64_t MicrosSince(Env* env, uint64_t start_micros) {
  const uint64_t now_micros = env->NowMicros();
  return now_micros > start_micros ? now_micros - start_micros : 0;
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_MICROS_SINCE_H_
