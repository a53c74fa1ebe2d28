// RealRun: a stress run on real files and real pools, each episode in a process of its own.

#ifndef BUSHSTORE_TESTING_STRESS_REAL_RUN_H_
#define BUSHSTORE_TESTING_STRESS_REAL_RUN_H_

#include <cstdint>
#include <string>

#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// Runs in two directories, which must exist and be empty: `files`, and `pools`. If `pool_bytes` is
// not 0, `pools` is not a directory but the file or device of that size that is the pool. Returns
// what was found wrong; empty if nothing was.
std::string RunReal(const Script& script, const std::string& files, const std::string& pools,
                    uint64_t pool_bytes, Figures* figures);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_REAL_RUN_H_
