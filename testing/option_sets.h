// The option sets under which the same random program must give the same answers, with the
// persistent-memory tier and without.

#ifndef BUSHSTORE_TESTING_OPTION_SETS_H_
#define BUSHSTORE_TESTING_OPTION_SETS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "leveldb/cache.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "testing/dice.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

// Options together with the objects they point to.
struct OptionSet {
  std::string name;
  Options options;  // create_if_missing is set
  std::unique_ptr<Env> env;
  std::unique_ptr<Cache> cache;
  std::unique_ptr<const FilterPolicy> filter;
  std::optional<PmemOptions> pmem;    // the tier, if there is one; its pool is in:
  std::unique_ptr<TempDir> pool_dir;  // removed with the set, so that goes after the database
  // Values are this much larger than usual, so that levels hold several files.
  size_t value_factor = 1;
  // Each reopen draws block sizes, compression and the like anew: all of them may change during
  // the life of a database.
  bool changes_at_reopen = false;
};

// The names of the sets without the tier, and of those with it.
std::vector<std::string> OptionSetNames();
std::vector<std::string> TierOptionSetNames();

// The set of that name. REQUIRES: name is one of the above.
OptionSet MakeOptionSet(const std::string& name);

// What `changes_at_reopen` does.
void ShuffleOptions(OptionSet* set, Dice* dice);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_OPTION_SETS_H_
