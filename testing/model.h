// Model: what the store should hold, implemented as simply as possible.
//
// It is a std::map from each key to all its versions, each with its sequence number. A snapshot is
// a sequence number; a cursor iterates over the entries visible at one. It is slow and obviously
// correct: the store is compared with it.

#ifndef BUSHSTORE_TESTING_MODEL_H_
#define BUSHSTORE_TESTING_MODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "leveldb/comparator.h"
#include "leveldb/slice.h"
#include "testing/contents.h"

namespace leveldb {
namespace testkit {

class Model {
 public:
  // One version: the bytes of the key at that write (a comparator may treat different bytes as
  // equal) and the value, absent for a deletion.
  struct Entry {
    uint64_t sequence;
    std::string key;
    std::optional<std::string> value;
  };

  // `order` must outlive the model.
  explicit Model(const Comparator* order) : versions_(Less{order}) {}

  void Put(const std::string& key, const std::string& value) { Add(key, value); }
  void Delete(const std::string& key) { Add(key, std::nullopt); }

  // Returns the sequence number of the latest change, which a snapshot taken now would have.
  uint64_t sequence() const { return sequence_; }

  // Returns the value of `key` as of `sequence`, or null if there is none.
  const std::string* Get(const std::string& key, uint64_t sequence) const;

  // Returns all that is visible at `sequence`, in order.
  Contents All(uint64_t sequence) const;

  // Forgets versions that no snapshot at or after `oldest_needed` can see.
  void Prune(uint64_t oldest_needed);

  // Iterates over the entries visible at one sequence number, with the interface of Iterator.
  class Cursor;

 private:
  struct Less {
    const Comparator* order;
    bool operator()(const std::string& a, const std::string& b) const {
      return order->Compare(a, b) < 0;
    }
  };
  using Versions = std::map<std::string, std::vector<Entry>, Less>;

  void Add(const std::string& key, std::optional<std::string> value);
  // Returns the version of a key visible at `sequence`, or null if that is a deletion or there is
  // none.
  static const Entry* Visible(const std::vector<Entry>& versions, uint64_t sequence);

  uint64_t sequence_ = 0;
  Versions versions_;  // each list ascends by sequence
};

class Model::Cursor {
 public:
  // The model must outlive the cursor and not be pruned past `sequence`.
  Cursor(const Model* model, uint64_t sequence)
      : model_(model), sequence_(sequence), place_(model->versions_.end()) {}

  uint64_t sequence() const { return sequence_; }
  bool Valid() const { return place_ != model_->versions_.end(); }
  void SeekToFirst();
  void SeekToLast();
  void Seek(const std::string& target);
  // REQUIRES: Valid().
  void Next();
  void Prev();
  const std::string& key() const { return Visible(place_->second, sequence_)->key; }
  const std::string& value() const { return *Visible(place_->second, sequence_)->value; }

 private:
  // Move `place_` to the nearest visible entry: at or after it, or before it.
  void SkipForward();
  void StepBack();

  const Model* model_;
  uint64_t sequence_;
  Versions::const_iterator place_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_MODEL_H_
