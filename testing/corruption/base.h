// Base: a sound database that is damaged many times, with everything known about its contents.

#ifndef BUSHSTORE_TESTING_CORRUPTION_BASE_H_
#define BUSHSTORE_TESTING_CORRUPTION_BASE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "testing/corruption/image.h"
#include "testing/corruption/piece.h"
#include "testing/corruption/writings.h"

namespace leveldb {
namespace testkit {

struct Base {
  ImagePlace place;
  Options options;
  std::unique_ptr<const FilterPolicy> filter;
  std::optional<PmemOptions> pmem;
  Writings writings;
  Image image;
  std::vector<Image> older;  // of the same database, taken earlier
  PieceMap map;
  bool was_closed = false;  // if false, background jobs may have been running
  std::string summary;

  // Opens the database as described here, but with the options `changed`.
  Status Open(const Options& changed, std::unique_ptr<DB>* db) const;
};

// Makes the database that `seed` determines: with the tier or without, several trees or tables,
// large and small values, deletions, and logs that have not been flushed; either closed, or as a
// kill would leave it. Ends the program if the store does not work.
std::unique_ptr<Base> MakeBase(uint64_t seed, const ImagePlace& place);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_BASE_H_
