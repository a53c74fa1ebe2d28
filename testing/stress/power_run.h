// PowerRun: a life on a simulated disk and simulated persistent memory, whose power goes.

#ifndef BUSHSTORE_TESTING_STRESS_POWER_RUN_H_
#define BUSHSTORE_TESTING_STRESS_POWER_RUN_H_

#include <functional>
#include <memory>
#include <string>

#include "testing/pmem_sim.h"
#include "testing/power_env.h"
#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

// Bugs for the tests of the alarm: called with the disk and the memory of each round.
using PlantInPower = std::function<void(PowerEnv*, PmemSim*)>;

// The expected state is kept in the directory `files`, the pools in `pools`; both are there and
// empty. Returns what was found wrong, empty if nothing was. Runs in a process of its own.
std::string RunPower(const Script& script, const std::string& files, const std::string& pools,
                     Figures* figures, const PlantInPower& plant = {});

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_POWER_RUN_H_
