// Plan: draws a life from a seed. It decides and does nothing.

#ifndef BUSHSTORE_TESTING_STRESS_PLAN_H_
#define BUSHSTORE_TESTING_STRESS_PLAN_H_

#include <cstdint>
#include <vector>

#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

struct PlanOptions {
  std::vector<Kind> kinds;  // that may happen
  uint32_t threads = 4;
};

// The same life for the same seed and options.
Script PlanRun(uint64_t seed, const PlanOptions& options);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_PLAN_H_
