// Runs a whole life in directories of its own.

#ifndef BUSHSTORE_TESTING_STRESS_STRESS_RUN_H_
#define BUSHSTORE_TESTING_STRESS_STRESS_RUN_H_

#include <string>

#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// Where lives take place.
struct RunPlaces {
  std::string files;  // a directory that is there
  std::string pools;  // likewise
  // A file or device that is each life's pool, one after the other; empty: pools are made in
  // `pools`. It is blank before each life, and after each that is not kept.
  std::string pool;
  uint64_t pool_bytes = 0;
};

// Whether a file or device can be the pool of lives, and how long it is: it is there, large enough
// and blank. Returns a sentence about what is wrong, empty if nothing is.
std::string MeasurePool(const std::string& path, uint64_t* bytes);

// Returns what was found wrong, empty if nothing was. What a life leaves is removed, but for one
// that went wrong, if `keep_wrong`; then the text says where it is.
std::string RunStress(const Script& script, const RunPlaces& places, Figures* figures,
                      bool keep_wrong);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_STRESS_RUN_H_
