// History: a sequence of numbered batches and the state after each.
//
// Batch k also writes a marker of its own, so that a database found after a crash says which
// batches it holds, and writes k under kProgressKey. The database must then hold exactly what these
// batches leave.

#ifndef BUSHSTORE_TESTING_HISTORY_H_
#define BUSHSTORE_TESTING_HISTORY_H_

#include <cstdint>
#include <optional>
#include <set>
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
  // Draws batches from `seed`; values have up to `value_size_max` bytes. Keys begin with `prefix`,
  // so that several histories can share one database.
  History(uint64_t seed, size_t value_size_max, const std::string& prefix = "");

  // Returns the number of the latest batch. The first is number 1.
  uint64_t size() const { return batches_.size(); }

  // Draws one more batch.
  void Extend();
  void ExtendTo(uint64_t count);

  // Forgets the batches after the first `count`: they did not survive.
  void CutTo(uint64_t count) { batches_.resize(count); }
  // Forgets the batches that are not in `present`. The others keep their numbers, and the next one
  // follows the latest of them.
  void KeepOnly(const std::set<uint64_t>& present);

  // Returns batch `number` as a WriteBatch. REQUIRES: 1 <= number <= size().
  WriteBatch Batch(uint64_t number) const;

  // Returns the total size of the keys and values of batch `number`.
  uint64_t UserBytes(uint64_t number) const;

  // Returns the state after the first `count` batches, in bytewise order.
  Contents StateAfter(uint64_t count) const;

  // Reads the whole database (the entries that begin with this history's prefix) and determines
  // which batches it holds. Returns the database's error, or Corruption if it does not hold exactly
  // what these batches leave, or if one of the first `certain` batches is missing.
  Status FindBatches(DB* db, uint64_t certain, std::set<uint64_t>* present) const;

  // Like FindBatches, but no batch may be missing before the latest one present, whose number is
  // *count.
  Status Check(DB* db, uint64_t* count) const;

 private:
  struct Edit {
    std::string key;
    std::optional<std::string> value;
  };

  std::string Marker(uint64_t number) const;
  Contents StateOf(const std::set<uint64_t>& numbers) const;

  Dice dice_;
  size_t value_size_max_;
  std::string prefix_;
  std::vector<std::vector<Edit>> batches_;
  std::set<uint64_t> lost_;  // numbers of batches that are forgotten
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_HISTORY_H_
