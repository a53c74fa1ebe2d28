// Runs a whole life in directories of its own.

#ifndef BUSHSTORE_TESTING_STRESS_LIFE_H_
#define BUSHSTORE_TESTING_STRESS_LIFE_H_

#include <string>

#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// Where lives take place.
struct LifePlaces {
  std::string files;  // a directory that is there
  std::string pools;  // likewise
};

// Returns what was found wrong, empty if nothing was. What a life leaves is removed, but for one
// that went wrong, if `keep_wrong`; then the text says where it is.
std::string RunLife(const Script& script, const LifePlaces& places, Figures* figures,
                    bool keep_wrong);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_LIFE_H_
