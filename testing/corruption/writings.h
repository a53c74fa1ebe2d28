// Writings: records every version of every key that was ever written to a database, so that
// everything that is read can be judged.
//
// A version is named by its sequence number, which the store gives to updates in their order. Each
// value begins with its key and version, which determine the rest: no other value was ever written.

#ifndef BUSHSTORE_TESTING_CORRUPTION_WRITINGS_H_
#define BUSHSTORE_TESTING_CORRUPTION_WRITINGS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "leveldb/write_batch.h"

namespace leveldb {
namespace testkit {

class Writings {
 public:
  struct Version {
    bool is_delete = false;
    size_t size = 0;  // of the value
  };
  using Versions = std::map<uint64_t, Version>;  // by sequence
  using Keys = std::map<std::string, Versions>;

  // Records an update and adds it to the batch, whose updates are the next to be written.
  void Put(const std::string& key, size_t size, WriteBatch* batch);
  void Delete(const std::string& key, WriteBatch* batch);

  const Keys& keys() const { return keys_; }
  uint64_t last_sequence() const { return last_sequence_; }

  // Returns the sequence of the newest version; 0 if there is none.
  uint64_t Newest(const std::string& key) const;
  // Returns whether a read of this version finds nothing. 0 stands for no version at all.
  bool IsAbsent(const std::string& key, uint64_t sequence) const;
  bool Has(const std::string& key, uint64_t sequence) const;
  // Returns which version of the key has this value; 0 if none has.
  uint64_t SequenceOf(const std::string& key, const std::string& value) const;

 private:
  static std::string ValueOf(const std::string& key, uint64_t sequence, size_t size);

  Keys keys_;
  uint64_t last_sequence_ = 0;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_WRITINGS_H_
