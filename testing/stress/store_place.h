// StorePlace: the paths of a stressed database. Opens, checks and drains the database as the
// numbers of an episode say.

#ifndef BUSHSTORE_TESTING_STRESS_STORE_PLACE_H_
#define BUSHSTORE_TESTING_STRESS_STORE_PLACE_H_

#include <memory>
#include <string>

#include "leveldb/cache.h"
#include "leveldb/filter_policy.h"
#include "leveldb/pmem.h"
#include "pmem/media/persist.h"
#include "testing/stress/key_space.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

struct StorePlace {
  Env* env = nullptr;
  std::string name;         // of the database
  std::string pools;        // a directory, or, if
  uint64_t pool_bytes = 0;  // this is not 0, the file or device of so many bytes that is the pool
  bool msync = false;
  KeyOrder order = KeyOrder::kBytewise;
};

// Options together with the objects they point to.
class StoreOptions {
 public:
  StoreOptions(const StorePlace& place, const Numbers& numbers);

  Options options;
  PmemOptions pmem;

 private:
  std::unique_ptr<const FilterPolicy> filter_;
  std::unique_ptr<Cache> cache_;
};

// `persist` is placed between the database and its pool, unless it is null.
Status OpenStoreAt(const StorePlace& place, const StoreOptions& options,
                   const PersistFactory& persist, std::unique_ptr<PmemDB>* db);

// Runs `bushstore check`. The error holds the whole report.
Status CheckStoreAt(const StorePlace& place, const StoreOptions& options);

Status DrainStoreAt(const StorePlace& place, const StoreOptions& options);

// Returns whether there is a database without the tier, which an open might give the tier.
bool IsPlain(const StorePlace& place);

// Returns whether the open database has the tier.
bool HasTier(PmemDB* db);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_STORE_PLACE_H_
