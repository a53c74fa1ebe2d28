// Seeds and sizes of the random tests, both controlled by environment variables:
//
//   BUSHSTORE_TEST_SEED=N    repeats a run (by default every run takes a fresh seed)
//   BUSHSTORE_TEST_SCALE=F   multiplies the number of steps (1 by default; 0.2 for sanitizers,
//                            50 for a long night)

#ifndef BUSHSTORE_TESTING_SEED_H_
#define BUSHSTORE_TESTING_SEED_H_

#include <cstdint>

namespace leveldb {
namespace testkit {

// Returns the seed of this test. It is printed, together with how to repeat the run.
uint64_t AnnouncedSeed();

// Returns `steps` times the scale, and at least one.
int Scaled(int steps);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_SEED_H_
