// MergedRun: no life of one database, but directories that are mixed of several databases. What is
// made of them is judged by merged/merge_judge.h.

#ifndef BUSHSTORE_TESTING_STRESS_MERGED_RUN_H_
#define BUSHSTORE_TESTING_STRESS_MERGED_RUN_H_

#include <string>

#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// The life takes place in a directory that is there and empty. Returns what was found wrong, empty
// if nothing was.
std::string RunMerged(const Script& script, const std::string& files, Figures* figures);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_MERGED_RUN_H_
