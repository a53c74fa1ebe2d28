// Reads a file of command lines, as in BushStore's published experiments.
#ifndef BUSHSTORE_YCSBC_COMMAND_FILE_H_
#define BUSHSTORE_YCSBC_COMMAND_FILE_H_

#include <string>
#include <vector>

namespace leveldb::ycsbc {

// Reads command lines in the form "COUNT WORD... COUNT WORD... 0" from a file. COUNT is the number
// of words of one command line, the program's name included. White space of any kind separates
// them. Returns an error as a sentence without a full stop, or "".
std::string ReadCommandFile(const std::string& path,
                            std::vector<std::vector<std::string>>* commands);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_COMMAND_FILE_H_
