// Reads all live entries of a database in several ways that must agree.

#ifndef BUSHSTORE_TESTING_CONTENTS_H_
#define BUSHSTORE_TESTING_CONTENTS_H_

#include <string>
#include <utility>
#include <vector>

#include "leveldb/db.h"

namespace leveldb {
namespace testkit {

// Entries in the order of the database.
using Contents = std::vector<std::pair<std::string, std::string>>;

// Reads everything forwards with checksums verified, then backwards, then each key by Get. Returns
// Corruption if they disagree, and any other error as it was met.
Status ReadContents(DB* db, Contents* contents, const Snapshot* snapshot = nullptr);

// Returns the text form of the golden dumps: a line per entry with the key in hex, the length of
// the value and its 32-bit FNV-1a hash.
std::string DumpText(const Contents& contents);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CONTENTS_H_
