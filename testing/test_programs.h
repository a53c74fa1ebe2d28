// The external programs and libraries that integration tests use, as the build found them.

#ifndef BUSHSTORE_TESTING_TEST_PROGRAMS_H_
#define BUSHSTORE_TESTING_TEST_PROGRAMS_H_

#include <string>

#include "testing/subprocess.h"

namespace leveldb {
namespace testkit {

// The libleveldb that db_driver runs with: this project's, or the system's.
enum class Library { kOurs, kStock };

// Returns whether the system has its own libleveldb.so.1d. Tests that need it are skipped without
// it.
bool HaveStockLibrary();

// Return the command line and the environment of testing/programs/db_driver.cc with one library.
Arguments DriverCommand(const Arguments& words);
Environment DriverEnvironment(Library library);
// Runs db_driver to its end.
Finished RunDriver(Library library, const Arguments& words);

// Returns the command line of testing/programs/tier_writer.cc.
Arguments TierWriterCommand(const Arguments& words);

// Decodes a closed database by the documented formats alone and compares it with a dump. `reverse`:
// its comparator is ReverseComparator().
Finished RunParseCheck(const std::string& db_path, const std::string& dump_path, bool reverse);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_TEST_PROGRAMS_H_
