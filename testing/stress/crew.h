// Crew: the threads of a stressed store at work.

#ifndef BUSHSTORE_TESTING_STRESS_CREW_H_
#define BUSHSTORE_TESTING_STRESS_CREW_H_

#include <cstdint>

#include "testing/stress/script.h"
#include "testing/stress/site.h"

namespace leveldb {
namespace testkit {

// Does the operations of an episode, or of one of its sessions, with as many threads as the
// expected state knows of. Returns when all have ended.
void RunCrew(Site site, const Numbers& numbers, uint64_t session);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_CREW_H_
