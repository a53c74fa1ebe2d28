// RealRun: a life on real files and real pools, each episode in a process of its own.

#ifndef BUSHSTORE_TESTING_STRESS_REAL_RUN_H_
#define BUSHSTORE_TESTING_STRESS_REAL_RUN_H_

#include <cstdint>
#include <string>

#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// The life takes place in two directories that are there and empty: for files, and for pools. With
// `pool_bytes`, `pools` is no directory but the file or device of so many bytes that is the pool.
// Returns what was found wrong, empty if nothing was.
std::string RunReal(const Script& script, const std::string& files, const std::string& pools,
                    uint64_t pool_bytes, Figures* figures);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_REAL_RUN_H_
