// Checks small histories of a store of few cells for linearizability.
//
// Threads call a store; each call is recorded with a ticket taken before it and one taken after it.
// The history is linearizable if the calls can be put into one order, in which each comes before
// every call that began after it had ended, and every read sees what the writes before it have
// left.
//
// The search is Wing and Gong's ("Testing and Verifying Concurrent Objects", Journal of Parallel
// and Distributed Computing 17, 1993), with Lowe's memoization of failed states ("Testing for
// Linearizability", Concurrency and Computation 29(4), 2017): which calls have been ordered, and
// the contents of the cells after them.
#ifndef BUSHSTORE_TESTING_LINEARIZABILITY_H_
#define BUSHSTORE_TESTING_LINEARIZABILITY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

// The content of a cell; 0 stands for nothing, which all cells hold at first.
struct Cell {
  int key;
  int value;
};

// One call: it writes these cells, or has read these values, all at once.
struct TimedCall {
  bool is_write;
  std::vector<Cell> cells;
  uint64_t begin;  // tickets, each unique within a history
  uint64_t end;
};

constexpr size_t kCallsMax = 64;

// Returns whether the history is linearizable. REQUIRES: at most kCallsMax calls; keys are in [0,
// keys).
bool IsLinearizable(const std::vector<TimedCall>& history, int keys);

// Returns the history in the order in which the calls began, one a line.
std::string HistoryText(const std::vector<TimedCall>& history);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_LINEARIZABILITY_H_
