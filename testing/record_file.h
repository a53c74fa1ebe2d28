// Reads and writes whole record files, such as manifests, for tests that change what is in them.

#ifndef BUSHSTORE_TESTING_RECORD_FILE_H_
#define BUSHSTORE_TESTING_RECORD_FILE_H_

#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

// Returns the records of the file, up to the first that is damaged; aborts if the file can't be
// read. Uses the default Env.
std::vector<std::string> ReadRecords(const std::string& path);
// Replaces a file with one of these records; aborts on errors.
void WriteRecords(const std::string& path, const std::vector<std::string>& records);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_RECORD_FILE_H_
