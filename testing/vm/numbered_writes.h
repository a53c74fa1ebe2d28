// NumberedWrites: the writes of one thread, each drawn from the seed and its number alone.
//
// A thread has keys of its own. Write n puts or deletes one of them, or several in a batch. A value
// says which write put it and is otherwise drawn from the same seed, so that a database found after
// a power failure says of each key which write it holds, and a value from no write is noticed.
// Exactly one state belongs to each number: the one after write n.

#ifndef BUSHSTORE_TESTING_VM_NUMBERED_WRITES_H_
#define BUSHSTORE_TESTING_VM_NUMBERED_WRITES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/write_batch.h"

namespace leveldb {
namespace testkit {

class NumberedWrites {
 public:
  static constexpr uint32_t kKeys = 500;

  NumberedWrites(uint64_t seed, int thread);

  // What write `number` does.
  WriteBatch Batch(uint64_t number) const;

  // One entry found in the database. False if it is of another thread.
  bool IsOwnKey(const std::string& key) const;
  // Empty, or why the entry can't be of this thread's writes up to `begun`.
  std::string Found(const std::string& key, const std::string& value, uint64_t begun);

  // Finds the number in [durable, begun] whose state is what was found, the greatest if several are
  // alike. Otherwise false, and *report gets a line for each of the first keys that differ, which
  // begins with "lost" or "wrong".
  bool FindNumber(uint64_t durable, uint64_t begun, uint64_t* number, std::string* report) const;

 private:
  struct Edit {
    uint32_t key;
    bool is_put;
    uint32_t value_size;
  };
  // Which write put the value that a key has; 0: it has none.
  using State = std::vector<uint64_t>;

  std::vector<Edit> Edits(uint64_t number) const;
  std::string Key(uint32_t key) const;
  std::string Value(uint64_t number, const Edit& edit) const;
  void ReportDifferences(const State& expected, uint64_t durable, std::string* report) const;

  const uint64_t seed_;
  const std::string prefix_;
  State found_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_VM_NUMBERED_WRITES_H_
