// Opens databases as their option set says: with the persistent-memory tier or without it.

#ifndef BUSHSTORE_TESTING_STORE_H_
#define BUSHSTORE_TESTING_STORE_H_

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "testing/option_sets.h"

namespace leveldb {
namespace testkit {

// *db is closed first: it may be the same database.
Status OpenPlainly(const Options& options, const std::string& path, std::unique_ptr<DB>* db);
Status OpenStore(const OptionSet& set, const std::string& path, std::unique_ptr<DB>* db);

// Reads everything in a closed database, down to the last reference. Returns OK without the tier;
// otherwise an error holds the whole report.
Status CheckStore(const OptionSet& set, const std::string& path);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STORE_H_
