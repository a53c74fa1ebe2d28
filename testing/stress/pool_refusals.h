// Allocations in pools that fail: the n-th Extents::Reserve, once or from then on.
//
// A program that links this has the linker lead calls of Extents::Reserve here (--wrap).

#ifndef BUSHSTORE_TESTING_STRESS_POOL_REFUSALS_H_
#define BUSHSTORE_TESTING_STRESS_POOL_REFUSALS_H_

#include <cstdint>

namespace leveldb {
namespace testkit {

// The `at`-th reservation from now on fails, and later ones, too, if lasting.
void RefuseReservations(uint64_t at, bool lasting);
void StopRefusing();
// How many have failed.
uint64_t Refusals();

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_POOL_REFUSALS_H_
