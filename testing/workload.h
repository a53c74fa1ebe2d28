// Workload: writes and reads while calls fail, and checks what is read.
//
// Batches like those of a history are written. Each is acknowledged, or fails and then may or may
// not be present. Every read is checked against that: a key holds the value of the last
// acknowledged batch that changed it or of a later failed one. While faults are injected an error
// is a right answer, but a wrong value never is.

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

  // Writes `batches` batches, reading in between. Errors are counted, not reported; a wrong answer
  // is reported. Returns how many writes failed in *failed_writes.
  ::testing::AssertionResult Run(DB* db, int batches, int* failed_writes);

  // Checks that everything is readable and right. `errors_allowed`: reads may fail but not be
  // wrong.
  ::testing::AssertionResult CheckAll(DB* db, bool errors_allowed);

  // Like CheckAll, after a power loss: only batches acknowledged as synced, and those written
  // before them, must be present.
  ::testing::AssertionResult CheckSynced(DB* db);

 private:
  using Value = std::optional<std::string>;

  struct Write {
    std::map<std::string, Value> edits;
    bool acknowledged;
  };

  // Returns whether a key may hold `value`, given the writes so far.
  bool MayHold(const std::string& key, const Value& value, size_t certain_writes) const;
  ::testing::AssertionResult CheckKey(DB* db, const std::string& key, bool errors_allowed,
                                      size_t certain_writes);
  ::testing::AssertionResult CheckScan(DB* db, bool errors_allowed, bool backwards,
                                       size_t certain_writes);

  Dice dice_;
  std::vector<Write> writes_;
  size_t synced_writes_ = 0;  // so many first writes were done at the last successful sync
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_WORKLOAD_H_
