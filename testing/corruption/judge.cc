#include "testing/corruption/judge.h"

namespace leveldb {
namespace testkit {

std::set<KeyVersion> VersionsHeld(const PieceMap& map) {
  std::set<KeyVersion> held;
  for (const Piece& piece : map.pieces) held.insert(piece.carries.begin(), piece.carries.end());
  for (const LogRecords& log : map.logs) {
    for (const auto& record : log.records) held.insert(record.begin(), record.end());
  }
  return held;
}

// Returns the oldest version that may be returned: every older one is hidden by an intact one.
uint64_t Judge::Floor(const std::string& key) const {
  const auto doubt = doubts_.find(key);
  const uint64_t newest = doubt == doubts_.end() ? writings_.Newest(key) : doubt->second;
  if (allowance_.rule.empty() || allowance_.lost.count({key, newest}) == 0) return newest;
  for (auto held = held_.lower_bound({key, newest}); held != held_.begin();) {
    --held;
    if (held->key != key) break;
    if (allowance_.lost.count(*held) == 0) return held->sequence;
  }
  return 0;
}

Answer Judge::OfGet(const std::string& key, const Status& status, const std::string& value) const {
  if (status.IsNotFound()) return OfAbsence(key);
  return status.ok() ? OfValue(key, value) : Answer::kError;
}

Answer Judge::OfValue(const std::string& key, const std::string& value) const {
  const uint64_t sequence = writings_.SequenceOf(key, value);
  if (sequence == 0) return Answer::kWrong;
  if (sequence == writings_.Newest(key)) return Answer::kRight;
  if (allowance_.any_version) return Answer::kExcused;
  if (allowance_.deleted_keys_return && writings_.IsAbsent(key, writings_.Newest(key))) {
    return Answer::kReturned;
  }
  if (sequence < Floor(key)) return Answer::kWrong;
  return allowance_.rule.empty() ? Answer::kRight : Answer::kExcused;
}

Answer Judge::OfAbsence(const std::string& key) const {
  const uint64_t newest = writings_.Newest(key);
  if (writings_.IsAbsent(key, newest)) return Answer::kRight;
  if (allowance_.any_version) return Answer::kExcused;
  const uint64_t floor = Floor(key);
  bool may_be_absent = writings_.IsAbsent(key, floor);
  if (floor != 0) {
    for (const auto& [sequence, version] : writings_.keys().at(key)) {
      may_be_absent |= sequence > floor && version.is_delete;
    }
  }
  if (!may_be_absent) return Answer::kWrong;
  return allowance_.rule.empty() ? Answer::kRight : Answer::kExcused;
}

std::string Judge::Expected(const std::string& key) const {
  const uint64_t newest = writings_.Newest(key);
  const uint64_t floor = Floor(key);
  return "the newest version of " + key + " is #" + std::to_string(newest) +
         (writings_.IsAbsent(key, newest) ? " (a deletion)" : "") +
         (floor == newest ? "" : ", the newest intact one #" + std::to_string(floor));
}

}  // namespace testkit
}  // namespace leveldb
