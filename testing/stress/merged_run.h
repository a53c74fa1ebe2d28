// MergedRun: a stress run on directories that are mixed of several databases, instead of on one
// database. How they are opened and repaired is judged by merged/merge_judge.h.

#ifndef BUSHSTORE_TESTING_STRESS_MERGED_RUN_H_
#define BUSHSTORE_TESTING_STRESS_MERGED_RUN_H_

#include <string>

#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// Runs in the directory `files`, which must exist and be empty. Returns what was found wrong; empty
// if nothing was.
std::string RunMerged(const Script& script, const std::string& files, Figures* figures);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_MERGED_RUN_H_
