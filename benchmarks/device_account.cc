#include "benchmarks/device_account.h"

#include <fstream>
#include <sstream>

#include "leveldb/slice.h"
#include "util/text.h"

namespace leveldb::bench {

namespace {

std::optional<uint64_t> Difference(std::optional<uint64_t> later, std::optional<uint64_t> earlier) {
  if (!later.has_value() || !earlier.has_value() || *later < *earlier) return std::nullopt;
  return *later - *earlier;
}

bool Add(Slice number, uint64_t* sum) {
  uint64_t value = 0;
  if (!ConsumeDecimal(&number, &value) || !number.empty()) return false;
  *sum += value;
  return true;
}

}  // namespace

std::optional<uint64_t> OwnIoAccount(const std::string& name) {
  std::ifstream account("/proc/self/io");
  std::string found;
  uint64_t number = 0;
  while (account >> found >> number) {
    if (found == name + ":") return number;
  }
  return std::nullopt;
}

DeviceUse operator-(const DeviceUse& later, const DeviceUse& earlier) {
  return {Difference(later.bytes, earlier.bytes), Difference(later.reads, earlier.reads)};
}

std::optional<uint64_t> DeviceReadsIn(const std::string& text) {
  const std::string in_v2 = "rios=";
  uint64_t sum = 0;
  bool has_reads = false;
  std::istringstream lines(text);
  std::string line;
  bool is_empty = true;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string word;
    std::string before;
    while (words >> word) {
      is_empty = false;
      if (before == "Read") {
        has_reads = Add(word, &sum) || has_reads;
      } else if (word.rfind(in_v2, 0) == 0) {
        has_reads =
            Add(Slice(word.data() + in_v2.size(), word.size() - in_v2.size()), &sum) || has_reads;
      } else if (before == "Total") {
        has_reads = true;  // the only line of a group that has used no device yet
      }
      before = word;
    }
  }
  if (!has_reads && !is_empty) return std::nullopt;
  return sum;
}

DeviceUse LookAtDevices(const std::string& file) {
  DeviceUse use;
  use.bytes = OwnIoAccount("read_bytes");
  if (file.empty()) return use;
  const std::ifstream account(file);
  if (!account.is_open()) return use;
  std::ostringstream text;
  text << account.rdbuf();
  use.reads = DeviceReadsIn(text.str());
  return use;
}

}  // namespace leveldb::bench
