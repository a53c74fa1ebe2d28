// Makes allocations in pools fail: the n-th Extents::Reserve, once or from then on.
//
// A program that links this needs a linker option (--wrap) that redirects calls of Extents::Reserve
// to this file.

#ifndef BUSHSTORE_TESTING_STRESS_POOL_REFUSALS_H_
#define BUSHSTORE_TESTING_STRESS_POOL_REFUSALS_H_

#include <cstdint>

namespace leveldb {
namespace testkit {

// Makes the `at`-th reservation from now on fail, and all later ones, too, if `lasting`.
void RefuseReservations(uint64_t at, bool lasting);
void StopRefusing();
// Returns how many reservations have failed.
uint64_t Refusals();

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_POOL_REFUSALS_H_
