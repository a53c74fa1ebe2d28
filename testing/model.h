// Model: what the store should hold, in the plainest form that can be right.
//
// A std::map from key to all its versions, each with its sequence number. A snapshot is a
// sequence number; a cursor walks the entries visible at one. Slow and obviously correct: the
// store is compared with it.

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
  // One version: the spelling of the key at that write (a comparator may hold different bytes for
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

  // The sequence number of the latest change: what a snapshot taken now would see.
  uint64_t sequence() const { return sequence_; }

  // The value of `key` as of `sequence`, or null if there is none.
  const std::string* Get(const std::string& key, uint64_t sequence) const;

  // All that is visible at `sequence`, in order.
  Contents All(uint64_t sequence) const;

  // Forgets versions that no snapshot at or after `oldest_needed` can see.
  void Prune(uint64_t oldest_needed);

  // A walk over the entries visible at one sequence number, with the interface of Iterator.
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
  // The version of a key visible at `sequence` if it is not a deletion, else null.
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
  // From `place_` on (or back from before it), the nearest entry that is visible.
  void SkipForward();
  void StepBack();

  const Model* model_;
  uint64_t sequence_;
  Versions::const_iterator place_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_MODEL_H_
