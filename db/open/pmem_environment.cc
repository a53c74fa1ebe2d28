#include "db/open/pmem_environment.h"

#include <cstdlib>

#include "util/text.h"

namespace leveldb {

namespace {

class VariableReader {
 public:
  VariableReader(const GetVariable& get, Status* problem) : get_(get), problem_(problem) {}

  std::string Text(const char* name) const {
    const char* const value = get_(name);
    return value == nullptr ? "" : value;
  }

  // Returns the value of a switch: 1 or 0; unset and empty are 0. Returns `if_senseless` for any
  // other value.
  bool Switch(const char* name, bool if_senseless) {
    const std::string value = Text(name);
    if (value.empty() || value == "0") return false;
    if (value == "1") return true;
    Note(name, value, "should be 0 or 1");
    return if_senseless;
  }

  uint64_t Bytes(const char* name) {
    const std::string value = Text(name);
    uint64_t bytes = 0;
    if (!value.empty() && !ParseByteSize(value, &bytes)) {
      Note(name, value, "should be a number of bytes, or one with K, M or G behind it");
    }
    return bytes;
  }

 private:
  void Note(const char* name, const std::string& value, const char* what) {
    if (!problem_->ok()) return;
    *problem_ = Status::InvalidArgument(std::string(name) + "=" + Escaped(value), what);
  }

  const GetVariable& get_;
  Status* const problem_;
};

}  // namespace

PmemEnvironment ReadPmemEnvironment(const GetVariable& get) {
  PmemEnvironment environment;
  VariableReader reader(get, &environment.problem);
  environment.path = reader.Text("LEVELDB_PMEM_PATH");
  environment.size = reader.Bytes("LEVELDB_PMEM_SIZE");
  environment.assume_pmem = reader.Switch("LEVELDB_PMEM_ASSUME", false);
  environment.convert = reader.Switch("LEVELDB_PMEM_CONVERT", false);
  environment.require = reader.Switch("LEVELDB_PMEM_REQUIRE", true);
  environment.prefault = reader.Switch("LEVELDB_PMEM_PREFAULT", false);
  return environment;
}

PmemEnvironment ReadPmemEnvironment() {
  return ReadPmemEnvironment([](const char* name) -> const char* { return secure_getenv(name); });
}

bool ParseByteSize(Slice text, uint64_t* bytes) {
  uint64_t number;
  if (!ConsumeDecimal(&text, &number) || text.size() > 1) return false;
  int shift = 0;
  if (!text.empty()) {
    switch (text[0]) {
      case 'K':
      case 'k':
        shift = 10;
        break;
      case 'M':
      case 'm':
        shift = 20;
        break;
      case 'G':
      case 'g':
        shift = 30;
        break;
      default:
        return false;
    }
  }
  if (number > (UINT64_MAX >> shift)) return false;
  *bytes = number << shift;
  return true;
}

}  // namespace leveldb
