// A checker of linearizability for small histories of a store of few cells.
//
// Threads call a store; each call is noted with a ticket taken before it and one taken after it.
// The history is linearizable if the calls can be put into one order, in which each comes before
// every call that began after it had ended, and every read sees what the writes before it have
// left.
//
// The search is Wing and Gong's ("Testing and Verifying Concurrent Objects", Journal of Parallel
// and Distributed Computing 17, 1993), with Lowe's memory of what has been tried in vain ("Testing
// for Linearizability", Concurrency and Computation 29(4), 2017): which calls have been ordered,
// and what they have left in the cells.
#ifndef BUSHSTORE_TESTING_LINEARIZABILITY_H_
#define BUSHSTORE_TESTING_LINEARIZABILITY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

// What a cell holds; 0 stands for nothing, as all cells do at first.
struct Cell {
  int key;
  int value;
};

// One call: it writes these cells, or has seen them, all at once.
struct TimedCall {
  bool is_write;
  std::vector<Cell> cells;
  uint64_t begin;  // tickets, no two of a history alike
  uint64_t end;
};

constexpr size_t kCallsMax = 64;

// REQUIRES: at most kCallsMax calls; keys are in [0, keys).
bool IsLinearizable(const std::vector<TimedCall>& history, int keys);

// The history in the order in which the calls began, one a line.
std::string HistoryText(const std::vector<TimedCall>& history);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_LINEARIZABILITY_H_
