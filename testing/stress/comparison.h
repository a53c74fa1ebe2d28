// Comparison: decides whether the contents of a store can be explained by its operations.
//
// There must be, for each thread, a number between two bounds so that the store holds exactly what
// the thread's operations up to it leave. Operations that returned an error, and all operations if
// there may be holes, may be missing; a batch is present as a whole or not at all. If an operation
// is present, all operations that had returned before it began must be present: a crash loses the
// newest operations, never one in between.

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

// A range of operation numbers, both ends included.
struct Interval {
  uint64_t first;
  uint64_t last;
};

// The operations of one thread that may be present.
struct ThreadBounds {
  uint64_t low;
  uint64_t high;
  bool has_holes = false;
};

// Returns after which operations within the bounds the key could hold `found`.
std::vector<Interval> WhenItHolds(const ExpectedState& expected, uint32_t key,
                                  const KeyState& found, const ThreadBounds& bounds);

// Checks one key. Returns "" if it may hold `found`, else a message that says what it may hold.
std::string CompareKey(const ExpectedState& expected, uint32_t key, const KeyState& found,
                       const ThreadBounds& bounds);

// Parses the value of a key. Returns false if no operation has ever written it.
bool ReadState(uint32_t key, const Slice& value, KeyState* state);

// Compares all entries of a store. Returns what is wrong; empty if nothing is. If `found` is not
// null, *found receives what each key holds.
std::string Compare(const ExpectedState& expected, const KeySpace& keys, const Contents& contents,
                    const Bounds& bounds, std::vector<KeyState>* found = nullptr);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_COMPARISON_H_
