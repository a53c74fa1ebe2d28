// PowerRun: a stress run on a simulated disk and simulated persistent memory with power cuts.

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

// Plants bugs, to test that runs find them: called with the disk and the memory of each round.
using PlantInPower = std::function<void(PowerEnv*, PmemSim*)>;

// Keeps the expected state in the directory `files` and the pools in `pools`; both must exist and
// be empty. Returns what was found wrong; empty if nothing was. REQUIRES: this process runs nothing
// else.
std::string RunPower(const Script& script, const std::string& files, const std::string& pools,
                     Figures* figures, const PlantInPower& plant = {});

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_POWER_RUN_H_
