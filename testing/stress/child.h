// Runs a part of a stress run in a process of its own, which may be killed, crash or hang.

#ifndef BUSHSTORE_TESTING_STRESS_CHILD_H_
#define BUSHSTORE_TESTING_STRESS_CHILD_H_

#include <functional>
#include <string>

#include "testing/stress/figures.h"
#include "testing/stress/findings.h"

namespace leveldb {
namespace testkit {

struct ChildEnd {
  bool was_killed = false;  // by SIGKILL, before anything was found
  std::string wrong;        // what was found, or how the child crashed; empty if nothing
};

// Forks. REQUIRES: this process has one thread only. A child whose figures do not grow for a long
// time is killed and counts as wrong.
ChildEnd RunChild(const Figures& figures, const std::function<void(Findings*)>& work);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_CHILD_H_
