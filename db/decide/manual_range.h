// The part of a CompactRange request that concerns one level.
#ifndef BUSHSTORE_DB_DECIDE_MANUAL_RANGE_H_
#define BUSHSTORE_DB_DECIDE_MANUAL_RANGE_H_

#include <optional>
#include <string>

namespace leveldb {

// The user keys from `begin` to `end`, both included, in one level of tables or of the group. An
// unset bound is open.
struct ManualRange {
  int level = 0;
  std::optional<std::string> begin;
  bool begin_is_exclusive = false;  // when continuing after the keys that a step has taken
  std::optional<std::string> end;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_MANUAL_RANGE_H_
