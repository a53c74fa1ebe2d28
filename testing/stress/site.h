// Site: the objects that the threads of a stressed store share.

#ifndef BUSHSTORE_TESTING_STRESS_SITE_H_
#define BUSHSTORE_TESTING_STRESS_SITE_H_

#include <functional>
#include <string>

#include "leveldb/pmem.h"
#include "testing/stress/expected_state.h"
#include "testing/stress/figures.h"
#include "testing/stress/findings.h"
#include "testing/stress/key_space.h"
#include "testing/stress/promise.h"

namespace leveldb {
namespace testkit {

struct Site {
  PmemDB* db = nullptr;
  ExpectedState* expected = nullptr;
  const KeySpace* keys = nullptr;
  Figures* figures = nullptr;
  Findings* findings = nullptr;
  Promise* promise = nullptr;  // null where the power is never cut
  // Returns whether calls of the store may fail, because something under it has. Null: never.
  std::function<bool()> excuse;
  // Whether the pool may fill up: it may not spill, or there are iterators, which keep in it what
  // they read.
  bool may_not_spill = false;
  bool has_iterators = false;
  // Called between the steps of an operation. May be null.
  std::function<void()> step;

  bool IsExcused(const Status& status) const {
    // A failing call never damages anything.
    if (status.IsCorruption()) return false;
    const bool is_full = status.ToString().find(" is full: ") != std::string::npos;
    return (excuse && excuse()) || (is_full && (may_not_spill || has_iterators));
  }
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_SITE_H_
