// Crew: the threads that work on a stressed store.

#ifndef BUSHSTORE_TESTING_STRESS_CREW_H_
#define BUSHSTORE_TESTING_STRESS_CREW_H_

#include <cstdint>

#include "testing/stress/script.h"
#include "testing/stress/site.h"

namespace leveldb {
namespace testkit {

// Runs the operations of an episode, or of one of its sessions, with as many threads as the
// expected state has. Returns when all have ended.
void RunCrew(Site site, const Numbers& numbers, uint64_t session);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_CREW_H_
