// The option sets under which the same random program must give the same answers, with the
// persistent-memory tier and without it.

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
  std::unique_ptr<TempDir> pool_dir;  // removed with the set: destroy that after the database
  // Values are larger than usual by this factor, so that levels hold several files.
  size_t value_factor = 1;
  // Each reopen draws block sizes, compression and similar options anew, all of which may change
  // between two openings of a database.
  bool changes_at_reopen = false;
};

// Return the names of the sets without the tier, and of those with it.
std::vector<std::string> OptionSetNames();
std::vector<std::string> TierOptionSetNames();

// Makes the set of that name. REQUIRES: name is one of the above.
OptionSet MakeOptionSet(const std::string& name);

// Draws new options, as `changes_at_reopen` requires.
void ShuffleOptions(OptionSet* set, Dice* dice);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_OPTION_SETS_H_
