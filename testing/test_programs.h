// The programs and libraries outside that stories use, as the build found them.

#ifndef BUSHSTORE_TESTING_TEST_PROGRAMS_H_
#define BUSHSTORE_TESTING_TEST_PROGRAMS_H_

#include <string>

#include "testing/subprocess.h"

namespace leveldb {
namespace testkit {

// The libleveldb that db_driver runs on: this project's, or the system's own.
enum class Library { kOurs, kStock };

// Whether the system has a libleveldb.so.1d of its own. Stories that need it skip without it.
bool HaveStockLibrary();

// The command line and the environment for testing/programs/db_driver.cc on one of the libraries.
Arguments DriverCommand(const Arguments& words);
Environment DriverEnvironment(Library library);
// Both, to its end.
Finished RunDriver(Library library, const Arguments& words);

// The command line for testing/programs/tier_writer.cc.
Arguments TierWriterCommand(const Arguments& words);

// Decodes a closed database from the written formats alone and compares it with a dump.
// `reverse`: its comparator is ReverseComparator().
Finished RunParseCheck(const std::string& db_path, const std::string& dump_path, bool reverse);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_TEST_PROGRAMS_H_
