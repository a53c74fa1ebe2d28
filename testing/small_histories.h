// Makes small histories of concurrent calls on a database and checks each for linearizability.
#ifndef BUSHSTORE_TESTING_SMALL_HISTORIES_H_
#define BUSHSTORE_TESTING_SMALL_HISTORIES_H_

#include <cstdint>
#include <string>

#include "leveldb/db.h"

namespace leveldb {
namespace testkit {

// Lets three threads call Put, Delete, Write, Get, read three keys under a snapshot, and iterate
// over them, `histories` times with other keys each time. Returns the text of the first history
// that is not linearizable, or the error of a call; "" if all is well.
std::string FirstBadHistory(DB* db, uint64_t seed, int histories);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_SMALL_HISTORIES_H_
