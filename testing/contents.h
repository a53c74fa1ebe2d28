// All live entries of a database, read in several ways that must agree.

#ifndef BUSHSTORE_TESTING_CONTENTS_H_
#define BUSHSTORE_TESTING_CONTENTS_H_

#include <string>
#include <utility>
#include <vector>

#include "leveldb/db.h"

namespace leveldb {
namespace testkit {

// Entries in the database's order.
using Contents = std::vector<std::pair<std::string, std::string>>;

// Reads everything forwards with checksums verified, then backwards, then each key by Get; a
// disagreement or an error is returned as Corruption or as the error met.
Status ReadContents(DB* db, Contents* contents, const Snapshot* snapshot = nullptr);

// The text form of the golden dumps: a line per entry with the key in hex, the value's length and
// the FNV-1a 32 of the value.
std::string DumpText(const Contents& contents);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CONTENTS_H_
