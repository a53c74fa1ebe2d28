// Judge: decides whether the answer of a damaged database about a key keeps the store's promise.
//
// The promise: a verified read returns the newest version or an error. An older version, or none,
// is right only where a rule of the documentation says that the damage may be taken for the work of
// a crash, or after a repair; even then the answer must be at least as new as the newest version
// that the damage has not touched. A value that was never written for the key is always wrong.

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

// The answers that are allowed instead of the newest version.
struct Allowance {
  std::string rule;          // empty: none is allowed
  bool any_version = false;  // anything that was ever written, or nothing
  // For a key whose newest version is a deletion: any version that was written before it.
  bool deleted_keys_return = false;
  std::set<KeyVersion> lost;
};

// Returns the versions that an image holds.
std::set<KeyVersion> VersionsHeld(const PieceMap& map);

// kReturned: a deleted key has returned, as the allowance permits.
enum class Answer { kRight, kError, kExcused, kReturned, kWrong };

class Judge {
 public:
  // All arguments must outlive the judge.
  Judge(const Writings& writings, const std::set<KeyVersion>& held, const Allowance& allowance)
      : writings_(writings), held_(held), allowance_(allowance) {}

  // Records that a write of the newest version of this key has failed: the database may hold it, or
  // else the version before it.
  void DoubtNewest(const std::string& key, uint64_t newest_before) {
    doubts_.emplace(key, newest_before);
  }

  Answer OfGet(const std::string& key, const Status& status, const std::string& value) const;
  // Judges the absence of a key from a complete iteration that ended without an error.
  Answer OfAbsence(const std::string& key) const;
  Answer OfValue(const std::string& key, const std::string& value) const;

  // Returns, for a message, the answer that the last of these calls expected.
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
