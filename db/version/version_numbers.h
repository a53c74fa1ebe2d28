// Checks and queries of the numbers of a version's tables and trees.
#ifndef BUSHSTORE_DB_VERSION_VERSION_NUMBERS_H_
#define BUSHSTORE_DB_VERSION_VERSION_NUMBERS_H_

#include <cstdint>

#include "db/version/version.h"
#include "leveldb/status.h"

namespace leveldb {

// Returns Corruption, which names the number, if a number occurs twice.
Status CheckNumbersAreUnique(const Version& version);

// Returns the highest number of a table or a tree; 0 if there is none.
uint64_t HighestNumber(const Version& version);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_VERSION_NUMBERS_H_
