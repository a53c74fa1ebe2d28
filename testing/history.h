// History: a sequence of numbered batches and the state after each.
//
// Batch k also writes k under kProgressKey, so that a database found after a crash says how far it
// got: it must then hold exactly what the first k batches leave, no more, no less. Nothing may be
// missing from the middle, nothing may have come back.

#ifndef BUSHSTORE_TESTING_HISTORY_H_
#define BUSHSTORE_TESTING_HISTORY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"
#include "testing/contents.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

extern const char kProgressKey[];

class History {
 public:
  // Batches are drawn from `seed`; values have up to `value_size_max` bytes. Keys begin with
  // `prefix`, so that several histories can share one database.
  History(uint64_t seed, size_t value_size_max, const std::string& prefix = "");

  // How many batches there are. The first is number 1.
  uint64_t size() const { return batches_.size(); }

  // Draws one more batch.
  void Extend();
  void ExtendTo(uint64_t count);
  // Forgets the batches after the first `count`: they did not survive.
  void CutTo(uint64_t count) { batches_.resize(count); }

  // Batch `number` as something to write. REQUIRES: 1 <= number <= size().
  WriteBatch Batch(uint64_t number) const;

  // What the first `count` batches leave, in bytewise order.
  Contents StateAfter(uint64_t count) const;

  // Reads the whole database (entries that begin with this history's prefix), finds out at which
  // batch it stands and compares. Corruption, or whatever error the database gave, if it holds
  // something else than the state after some batch of this history.
  Status Check(DB* db, uint64_t* count) const;

 private:
  struct Edit {
    std::string key;
    std::optional<std::string> value;
  };

  Dice dice_;
  const size_t value_size_max_;
  const std::string prefix_;
  std::vector<std::vector<Edit>> batches_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_HISTORY_H_
