// Minimize: reduces a script that finds something wrong to a short one that still does.

#ifndef BUSHSTORE_TESTING_STRESS_MINIMIZE_H_
#define BUSHSTORE_TESTING_STRESS_MINIMIZE_H_

#include <functional>

#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// `still_fails` runs a script, several times if need be, since threads do not repeat themselves. It
// is called at most `runs_max` times. Returns the shortest script that failed.
Script Minimize(const Script& script, const std::function<bool(const Script&)>& still_fails,
                int runs_max);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_MINIMIZE_H_
