// Fuzzes the open of a database whose pool or files are damaged anywhere: it opens and serves, or
// reports what is wrong. What it returns under checksums was written.
//
// Input: the mode (0: the rest is a PMEM file; otherwise options 2: paranoid, 4: as left by a kill,
// not a close), then changes: which file, how (0: set bytes, 1: flip bits, 2: truncate, 3: copy a
// piece from elsewhere in the file), where (4 bytes), which bytes or from where.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/open/pmem_file.h"
#include "leveldb/pmem.h"
#include "testing/fuzz/fuzz_input.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace fuzz {
namespace {

using testkit::ReadFile;
using testkit::TierStore;

constexpr int kKeys = 120;
constexpr int kChangesMax = 8;
constexpr size_t kPieceBytes = 256;

std::string Key(int number) {
  return "key" + std::to_string(1000 + number);
}
std::string Value(int number) {
  return Key(number) +
         std::string(number % 3 == 0 ? 700 : 20, static_cast<char>('a' + number % 26));
}

void TakeAsPmemFile(const Slice& text) {
  PmemFile file;
  if (!DecodePmemFile(text, &file).ok()) return;
  Require(FitsPmemFile(file.pool), "the path fits");
  PmemFile same;
  Require(DecodePmemFile(EncodePmemFile(file), &same).ok(), "what is written can be read");
  Require(EncodePmemFile(same) == EncodePmemFile(file), "and is the same");
}

using Files = std::map<std::string, std::string>;

class Ground {
 public:
  Ground() : store_(testkit::kTinyPool) {
    store_.options.write_buffer_size = 64 << 10;
    store_.pmem.guard_faults = true;
    Require(store_.Open().ok(), "a new database opens");
    for (int number = 0; number < kKeys; ++number) {
      Require(store_.db()->Put(WriteOptions(), Key(number), Value(number)).ok(), "it is written");
      if (number == kKeys / 3 || number == kKeys * 2 / 3) store_.Flush();
    }
    killed_ = ReadFiles();
    store_.Close();
    closed_ = ReadFiles();
  }

  void Use(uint8_t options, FuzzInput* input) {
    Files files = (options & 4) != 0 ? killed_ : closed_;
    for (int i = 0; i < kChangesMax && !input->empty(); ++i) Change(input, &files);
    std::filesystem::remove_all(store_.path());
    std::filesystem::remove_all(store_.pools());
    for (const auto& [name, bytes] : files) {
      std::filesystem::create_directories(std::filesystem::path(name).parent_path());
      testkit::WriteFile(name, bytes);
    }
    store_.options.paranoid_checks = (options & 2) != 0;
    if (store_.Open().ok()) {
      ReadEverything();
      static_cast<void>(store_.db()->Put(WriteOptions(), Key(0), Value(0)));
    }
    store_.Close();
  }

 private:
  Files ReadFiles() const {
    Files files;
    for (const std::string& name : testkit::FileNames(store_.path())) {
      if (name != "LOCK" && name != "LOG") {
        const std::string path = store_.path() + "/" + name;
        files[path] = ReadFile(path);
      }
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(store_.pools())) {
      if (entry.is_regular_file()) files[entry.path()] = ReadFile(entry.path());
    }
    return files;
  }

  static bool IsPool(const std::string& name) { return name.find("/pools/") != std::string::npos; }

  // Chooses the largest of the pool's files for even numbers, any file but PMEM for odd ones: the
  // paths in PMEM refer to the real file system.
  static std::string* Choose(uint8_t number, Files* files) {
    std::vector<std::string*> small;
    std::string* largest = nullptr;
    for (auto& [name, bytes] : *files) {
      if (IsPool(name) && (largest == nullptr || bytes.size() > largest->size())) largest = &bytes;
      if (name.find("PMEM") == std::string::npos) small.push_back(&bytes);
    }
    return number % 2 == 0 ? largest : small[number / 2 % small.size()];
  }

  static void Change(FuzzInput* input, Files* files) {
    std::string* const bytes = Choose(input->Byte(), files);
    const uint8_t how = input->Byte() % 4;
    const uint64_t low = input->Short();
    const uint64_t wanted = low | uint64_t{input->Short()} << 16;
    if (bytes->empty()) return;
    const size_t at = wanted % bytes->size();
    if (how == 2) {
      bytes->resize(at);
    } else if (how == 3) {
      const size_t from = uint64_t{input->Short()} * kPieceBytes % bytes->size();
      const size_t n = std::min({kPieceBytes, bytes->size() - at, bytes->size() - from});
      bytes->replace(at, n, bytes->substr(from, n));
    } else {
      const Slice change = input->ShortString();
      for (size_t i = 0; i < change.size() && at + i < bytes->size(); ++i) {
        char& byte = (*bytes)[at + i];
        byte = static_cast<char>(how == 0 ? change[i] : byte ^ change[i]);
      }
    }
  }

  void ReadEverything() {
    ReadOptions verified;
    verified.verify_checksums = true;
    std::string value;
    for (int number = 0; number < kKeys; ++number) {
      const Status status = store_.db()->Get(verified, Key(number), &value);
      Require(!status.ok() || value == Value(number), "what is read was written");
      // Without checksums any bytes may be read, but only those of the pool.
      static_cast<void>(store_.db()->Get(ReadOptions(), Key(number), &value));
    }
    const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(verified));
    int entries = 0;
    for (iterator->SeekToFirst(); iterator->Valid() && entries <= kKeys; iterator->Next()) {
      ++entries;
      value = iterator->value().ToString();
    }
    Require(entries <= kKeys, "no more is read than was written");
    store_.db()->GetProperty("leveldb.pmem", &value);
  }

  TierStore store_;
  Files closed_;
  Files killed_;
};

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  leveldb::fuzz::FuzzInput input(data, size);
  const uint8_t options = input.Byte();
  if (options == 0) {
    leveldb::fuzz::TakeAsPmemFile(input.Rest());
  } else {
    static leveldb::fuzz::Ground ground;
    ground.Use(options, &input);
  }
  return 0;
}
