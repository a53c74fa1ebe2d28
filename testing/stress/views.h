// Reads of a stressed store's thread: single keys, cursors and snapshots, each with the two moments
// between which it was taken. Every answer must be explained by operations up to some number
// between them.

#ifndef BUSHSTORE_TESTING_STRESS_VIEWS_H_
#define BUSHSTORE_TESTING_STRESS_VIEWS_H_

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "testing/dice.h"
#include "testing/stress/expected_state.h"
#include "testing/stress/site.h"

namespace leveldb {
namespace testkit {

// Gets a key, through the snapshot if one is given. `bounds` are those of the snapshot; if null,
// they are taken during this call.
void CheckGet(const Site& site, uint32_t key, const ReadOptions& options, const Bounds* bounds,
              Dice* dice);

// Reads everything through the snapshot and compares it with the expected state.
void CheckAll(const Site& site, const Snapshot* snapshot, const Bounds& bounds,
              const std::string& where);

// An iterator that is moved at random and must return exactly the right keys.
class CheckedCursor {
 public:
  CheckedCursor(const Site& site, const ReadOptions& options, const Bounds* bounds);

  // Moves at random and checks the position. Returns false if the store failed and is excused.
  bool Move(Dice* dice);

 private:
  void Land(int64_t from, bool forward);

  const Site& site_;
  Bounds bounds_;
  std::unique_ptr<Iterator> iterator_;
  int64_t rank_ = -1;  // of the current key, in the order of all keys
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_VIEWS_H_
