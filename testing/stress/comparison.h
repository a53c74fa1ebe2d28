// Comparison: whether what a store holds can be explained by the operations it was given.
//
// There must be, for each thread, a number between two bounds so that the store holds exactly what
// the thread's operations up to it leave; operations that returned an error, and those in which
// there may be holes, may be missing, and a batch is there whole or not at all. And if an operation
// is there, everything must be there that had returned before it began: what is lost is the newest
// of all, never something in between.

#ifndef BUSHSTORE_TESTING_STRESS_COMPARISON_H_
#define BUSHSTORE_TESTING_STRESS_COMPARISON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "testing/contents.h"
#include "testing/stress/expected_state.h"
#include "testing/stress/key_space.h"

namespace leveldb {
namespace testkit {

// Numbers of operations, both ends included.
struct Interval {
  uint64_t first;
  uint64_t last;
};

// What operations of one thread may be there.
struct ThreadBounds {
  uint64_t low;
  uint64_t high;
  bool has_holes = false;
};

// After which operations within the bounds the key could hold this.
std::vector<Interval> WhenItHolds(const ExpectedState& expected, uint32_t key,
                                  const KeyState& found, const ThreadBounds& bounds);

// The same for one key: empty if it may hold this, else what it may.
std::string CompareKey(const ExpectedState& expected, uint32_t key, const KeyState& found,
                       const ThreadBounds& bounds);

// What the bytes under a key are. False if no operation has ever written them.
bool ReadState(uint32_t key, const Slice& value, KeyState* state);

// Compares all entries of a store. Returns what is wrong, empty if nothing is. If given, *found
// receives what each key holds.
std::string Compare(const ExpectedState& expected, const KeySpace& keys, const Contents& contents,
                    const Bounds& bounds, std::vector<KeyState>* found = nullptr);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_COMPARISON_H_
