// Judge: whether what a damaged database says of a key is what it has promised.
//
// The promise: a verified read gives the newest version or an error. An older one, or none, is
// right only where a rule of the documentation says that the damage may pass for the work of a
// crash, or after a repair; and then it is at least the newest one that the damage has not touched.
// A value that was never written for the key is wrong always.

#ifndef BUSHSTORE_TESTING_CORRUPTION_JUDGE_H_
#define BUSHSTORE_TESTING_CORRUPTION_JUDGE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "leveldb/status.h"
#include "testing/corruption/piece.h"
#include "testing/corruption/writings.h"

namespace leveldb {
namespace testkit {

// What may be shown instead of the newest version.
struct Allowance {
  std::string rule;          // empty: nothing may
  bool any_version = false;  // whatever was ever written, or nothing
  // Of a key whose newest version is a deletion: any that was written before.
  bool deleted_keys_return = false;
  std::set<KeyVersion> lost;
};

// The versions that an image holds.
std::set<KeyVersion> VersionsHeld(const PieceMap& map);

// kReturned: a deleted key is there again, as the allowance says.
enum class Answer { kRight, kError, kExcused, kReturned, kWrong };

class Judge {
 public:
  // All must outlive the judge.
  Judge(const Writings& writings, const std::set<KeyVersion>& held, const Allowance& allowance)
      : writings_(writings), held_(held), allowance_(allowance) {}

  // A write of the newest version of this key has failed: it may be there or not, and then it is
  // the one before.
  void DoubtNewest(const std::string& key, uint64_t newest_before) {
    doubts_.emplace(key, newest_before);
  }

  Answer OfGet(const std::string& key, const Status& status, const std::string& value) const;
  // Of a whole walk that ended without an error: what it did not show is absent.
  Answer OfAbsence(const std::string& key) const;
  Answer OfValue(const std::string& key, const std::string& value) const;

  // What the last of these should have been, for the message.
  std::string Expected(const std::string& key) const;

 private:
  uint64_t Floor(const std::string& key) const;

  const Writings& writings_;
  const std::set<KeyVersion>& held_;
  const Allowance& allowance_;
  std::map<std::string, uint64_t> doubts_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_JUDGE_H_
