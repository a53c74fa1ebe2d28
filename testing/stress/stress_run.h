// Runs a whole stress run in directories of its own.

#ifndef BUSHSTORE_TESTING_STRESS_STRESS_RUN_H_
#define BUSHSTORE_TESTING_STRESS_STRESS_RUN_H_

#include <string>

#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// Where stress runs take place.
struct RunPlaces {
  std::string files;  // an existing directory
  std::string pools;  // an existing directory
  // A file or device that is the pool of each run in turn; empty: pools are made in `pools`. It is
  // blank before each run, and after each that is not kept.
  std::string pool;
  uint64_t pool_bytes = 0;
};

// Determines the size of a file or device and whether it can be the pool of stress runs: it must
// exist, be large enough and be blank. Returns what is wrong; empty if nothing is.
std::string MeasurePool(const std::string& path, uint64_t* bytes);

// Returns what was found wrong; empty if nothing was. The files of a run are removed, except those
// of a run that went wrong if `keep_wrong`; then the text says where they are.
std::string RunStress(const Script& script, const RunPlaces& places, Figures* figures,
                      bool keep_wrong);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_STRESS_RUN_H_
