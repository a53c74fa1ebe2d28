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
  bool was_killed = false;  // by SIGKILL, and nothing was found before
  std::string wrong;        // what was found, or how it crashed; empty if nothing
};

// Forks; this process must have one thread only. A child that does nothing for very long, as the
// figures tell, is ended and counts as wrong.
ChildEnd RunChild(const Figures& figures, const std::function<void(Findings*)>& work);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_CHILD_H_
