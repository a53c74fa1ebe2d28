// NumberedWrites: the writes of one thread, each determined by the seed and its number alone.
//
// A thread has keys of its own. Write n puts or deletes one of them, or several in a batch. A value
// says which write put it and is otherwise drawn from the same seed, so that a database found after
// a power failure says for each key which write it holds, and a value from no write is noticed.
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

  // Returns the batch of write `number`.
  WriteBatch Batch(uint64_t number) const;

  // Returns false if the key belongs to another thread.
  bool IsOwnKey(const std::string& key) const;
  // Records one entry found in the database. Returns why it can't come from this thread's writes up
  // to `begun`; empty if it can.
  std::string Found(const std::string& key, const std::string& value, uint64_t begun);

  // Finds the number in [durable, begun] whose state is what was found, the greatest if several are
  // equal. Otherwise returns false, and *report receives a line for each of the first keys that
  // differ, which begins with "lost" or "wrong".
  bool FindNumber(uint64_t durable, uint64_t begun, uint64_t* number, std::string* report) const;

 private:
  struct Edit {
    uint32_t key;
    bool is_put;
    uint32_t value_size;
  };
  // The write that put the value of each key; 0: it has none.
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
