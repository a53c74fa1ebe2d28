// The numbers of the tables and trees of a version.
#ifndef BUSHSTORE_DB_VERSION_VERSION_NUMBERS_H_
#define BUSHSTORE_DB_VERSION_VERSION_NUMBERS_H_

#include <cstdint>

#include "db/version/version.h"
#include "leveldb/status.h"

namespace leveldb {

// Corruption names a number that is there twice.
Status CheckNumbersAreUnique(const Version& version);

// The highest number of a table or a tree; 0 if there is none.
uint64_t HighestNumber(const Version& version);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_VERSION_NUMBERS_H_
