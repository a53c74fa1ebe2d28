// Workload: writes and reads that go on while calls fail, and what may be believed about them.
//
// Batches of a history-like kind are written; each is acknowledged, or failed and then may or may
// not be there. Every read is checked against that: a key holds the value of the last acknowledged
// batch that touched it or of a later failed one; an error is an honest answer while faults are on,
// a wrong value never is.

#ifndef BUSHSTORE_TESTING_WORKLOAD_H_
#define BUSHSTORE_TESTING_WORKLOAD_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

class Workload {
 public:
  explicit Workload(uint64_t seed) : dice_(seed) {}

  // Writes `batches` batches, reading in between. Errors are noted, not reported; a wrong answer
  // is. Returns how many writes failed.
  ::testing::AssertionResult Run(DB* db, int batches, int* failed_writes);

  // Everything is readable and right. `errors_allowed`: reads may fail but not be wrong.
  ::testing::AssertionResult CheckAll(DB* db, bool errors_allowed);

  // As CheckAll, after a power loss: only batches acknowledged as synced must be there, and what
  // was written before them.
  ::testing::AssertionResult CheckSynced(DB* db);

 private:
  using Value = std::optional<std::string>;

  struct Write {
    std::map<std::string, Value> edits;
    bool acknowledged;
  };

  // What a key may hold, given the writes so far.
  bool MayHold(const std::string& key, const Value& value, size_t certain_writes) const;
  ::testing::AssertionResult CheckKey(DB* db, const std::string& key, bool errors_allowed,
                                      size_t certain_writes);
  ::testing::AssertionResult CheckScan(DB* db, bool errors_allowed, bool backwards,
                                       size_t certain_writes);

  Dice dice_;
  std::vector<Write> writes_;
  size_t synced_writes_ = 0;  // so many writes from the first on were there at the last good sync
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_WORKLOAD_H_
