// Plan: draws the script of a stress run from a seed. It runs nothing.

#ifndef BUSHSTORE_TESTING_STRESS_PLAN_H_
#define BUSHSTORE_TESTING_STRESS_PLAN_H_

#include <cstdint>
#include <vector>

#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

struct PlanOptions {
  std::vector<Kind> kinds;  // kinds that may occur
  uint32_t threads = 4;
};

// Returns the script, which is always the same for the same seed and options.
Script PlanRun(uint64_t seed, const PlanOptions& options);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_PLAN_H_
