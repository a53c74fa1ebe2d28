// Small histories of concurrent calls on a database, each held against the checker.
#ifndef BUSHSTORE_TESTING_SMALL_HISTORIES_H_
#define BUSHSTORE_TESTING_SMALL_HISTORIES_H_

#include <cstdint>
#include <string>

#include "leveldb/db.h"

namespace leveldb {
namespace testkit {

// Three threads call Put, Delete, Write, Get, read three keys under a snapshot, and walk over them
// with an iterator; again and again, with other keys each time. Returns the text of the first such
// history that is not linearizable, or what a call has failed with; "" if all is well.
std::string FirstBadHistory(DB* db, uint64_t seed, int histories);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_SMALL_HISTORIES_H_
