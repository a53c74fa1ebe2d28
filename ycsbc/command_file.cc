#include "ycsbc/command_file.h"

#include <cstdint>
#include <fstream>
#include <utility>

#include "util/text.h"

namespace leveldb::ycsbc {

namespace {

constexpr uint64_t kWordsMax = 1000;

}  // namespace

std::string ReadCommandFile(const std::string& path,
                            std::vector<std::vector<std::string>>* commands) {
  std::ifstream file(path);
  if (!file) return "cannot read \"" + Escaped(path) + "\"; -h lists the options";
  std::string count;
  while (file >> count) {
    Slice rest(count);
    uint64_t words = 0;
    if (!ConsumeDecimal(&rest, &words) || !rest.empty() || words > kWordsMax) {
      return Escaped(path) + ": \"" + Escaped(count) +
             "\" is to be the number of words of the next command line, or 0 at the end";
    }
    if (words == 0) return "";
    std::vector<std::string> command(static_cast<size_t>(words));
    for (std::string& word : command) {
      if (!(file >> word)) {
        return Escaped(path) + ": the last command line has fewer words than the " + count +
               " that it says";
      }
    }
    commands->push_back(std::move(command));
  }
  return "";
}

}  // namespace leveldb::ycsbc
