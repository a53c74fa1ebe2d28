// The option sets under which the same random program must give the same answers.

#ifndef BUSHSTORE_TESTING_OPTION_SETS_H_
#define BUSHSTORE_TESTING_OPTION_SETS_H_

#include <memory>
#include <string>
#include <vector>

#include "leveldb/cache.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

// Options together with the objects they point to.
struct OptionSet {
  std::string name;
  Options options;  // create_if_missing is set
  std::unique_ptr<Env> env;
  std::unique_ptr<Cache> cache;
  std::unique_ptr<const FilterPolicy> filter;
  // Values are this much larger than usual, so that levels hold several files.
  size_t value_factor = 1;
  // Each reopen draws block sizes, compression and the like anew: all of them may change during
  // the life of a database.
  bool changes_at_reopen = false;
};

// The names of all sets.
std::vector<std::string> OptionSetNames();

// The set of that name. REQUIRES: name is one of OptionSetNames().
OptionSet MakeOptionSet(const std::string& name);

// What `changes_at_reopen` does.
void ShuffleOptions(OptionSet* set, Dice* dice);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_OPTION_SETS_H_
