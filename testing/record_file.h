// Reads and writes whole record files, such as manifests, for tests that change what is in them.

#ifndef BUSHSTORE_TESTING_RECORD_FILE_H_
#define BUSHSTORE_TESTING_RECORD_FILE_H_

#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

// The records of the file, up to the first that is not whole; aborts if it can't be read. Files are
// those of the default Env.
std::vector<std::string> ReadRecords(const std::string& path);
// Puts a file of these records in the place of the one that is there; aborts on errors.
void WriteRecords(const std::string& path, const std::vector<std::string>& records);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_RECORD_FILE_H_
