// db_driver: a program linked to libleveldb.so.1d that runs commands on a database.
//
// The integration tests run it with LD_LIBRARY_PATH set to our library and to the system's in
// turns, on one directory. It is compiled once, against our headers, so it also tests the binary
// interface.
//
//   db_driver DIR [OPTION...] COMMAND...
//
// Options: bloom, uncompressed, reverse, reuse_logs, small (a 64 KiB write buffer). Commands:
//   where               prints the path of the library in use
//   write SEED A B N    writes the batches A to B of the history SEED, every N-th synced (0: none),
//                       and prints "at K" when batch K has been acknowledged
//   check SEED K        the database must be at batch K of the history SEED
//   snapshot            reads through a snapshot while the keys are overwritten and deleted
//   compact             compacts everything
//   churn               overwrites 2 MB of data ten times under a snapshot and an iterator,
//                       releases both, compacts everything, and prints "bytes N", what is in the
//                       directory besides the tables in use when that has returned
//   dump FILE           writes the contents in the form of the golden dumps
//   close               closes the database and opens it again
//   repair              the same with a repair in between
//   die                 kills itself
// It exits with 1 and a message if anything is wrong.

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "leveldb/c.h"
#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "testing/comparators.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/history.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr size_t kValueSizeMax = 1500;

[[noreturn]] void Fail(const std::string& message) {
  std::printf("db_driver: %s\n", message.c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

void Require(const Status& status, const std::string& what) {
  if (!status.ok()) {
    Fail(what + ": " + status.ToString());
  }
}

class Driver {
 public:
  Driver(int count, char** words) : count_(count), words_(words) {}

  void Run() {
    path_ = Next();
    options_.create_if_missing = true;
    while (at_ < count_ && TakeOption()) {
    }
    Open();
    while (at_ < count_) {
      Obey(Next());
    }
    db_.reset();
  }

 private:
  std::string Next() {
    if (at_ >= count_) {
      Fail("a word is missing at the end of the command line");
    }
    return words_[at_++];
  }
  uint64_t NextNumber() { return std::strtoull(Next().c_str(), nullptr, 10); }

  bool TakeOption() {
    const std::string word = words_[at_];
    if (word == "bloom") {
      bloom_.reset(NewBloomFilterPolicy(10));
      options_.filter_policy = bloom_.get();
    } else if (word == "uncompressed") {
      options_.compression = kNoCompression;
    } else if (word == "reverse") {
      options_.comparator = ReverseComparator();
    } else if (word == "reuse_logs") {
      options_.reuse_logs = true;
    } else if (word == "small") {
      options_.write_buffer_size = 64 << 10;
    } else {
      return false;
    }
    ++at_;
    return true;
  }

  void Open() {
    DB* db = nullptr;
    Require(DB::Open(options_, path_, &db), "open");
    db_.reset(db);
  }

  void Obey(const std::string& command) {
    const std::map<std::string, std::function<void()>> commands = {
        {"where", [this] { Where(); }},        {"write", [this] { Write(); }},
        {"check", [this] { Check(); }},        {"snapshot", [this] { ReadThroughSnapshot(); }},
        {"compact", [this] { Compact(); }},    {"dump", [this] { Dump(); }},
        {"close", [this] { CloseAndOpen(); }}, {"repair", [this] { Repair(); }},
        {"churn", [this] { Churn(); }},        {"die", [] { ::kill(::getpid(), SIGKILL); }}};
    const auto found = commands.find(command);
    if (found == commands.end()) {
      Fail("no such command: " + command);
    }
    found->second();
  }

  void Where() {
    Dl_info info;
    void* const function = ::dlsym(RTLD_DEFAULT, "leveldb_open");
    if (function == nullptr || ::dladdr(function, &info) == 0) {
      Fail("cannot tell which library this is");
    }
    std::printf("%s version %d.%d\n", info.dli_fname, leveldb_major_version(),
                leveldb_minor_version());
  }

  void Write() {
    const uint64_t seed = NextNumber();
    const uint64_t first = NextNumber();
    const uint64_t last = NextNumber();
    const uint64_t sync_every = NextNumber();
    History history(seed, kValueSizeMax);
    history.ExtendTo(last);
    for (uint64_t number = first; number <= last; ++number) {
      WriteOptions options;
      options.sync = sync_every != 0 && number % sync_every == 0;
      WriteBatch batch = history.Batch(number);
      Require(db_->Write(options, &batch), "write");
      std::printf("at %llu\n", static_cast<unsigned long long>(number));
      std::fflush(stdout);
    }
  }

  void Check() {
    const uint64_t seed = NextNumber();
    const uint64_t wanted = NextNumber();
    History history(seed, kValueSizeMax);
    history.ExtendTo(wanted);
    Contents contents;
    Require(ReadContents(db_.get(), &contents), "read everything");
    Contents expected = history.StateAfter(wanted);
    if (options_.comparator == ReverseComparator()) {
      expected = Contents(expected.rbegin(), expected.rend());
    }
    if (contents != expected) {
      Fail("the database is not at batch " + std::to_string(wanted));
    }
  }

  void ReadThroughSnapshot() {
    Contents before;
    Require(ReadContents(db_.get(), &before), "read everything");
    const Snapshot* const snapshot = db_->GetSnapshot();
    for (const auto& entry : before) {
      Require(db_->Put(WriteOptions(), entry.first, "overwritten"), "overwrite");
    }
    for (const auto& entry : before) {
      Require(db_->Delete(WriteOptions(), entry.first), "delete");
    }
    Compact();
    Contents seen;
    Require(ReadContents(db_.get(), &seen, snapshot), "read through the snapshot");
    db_->ReleaseSnapshot(snapshot);
    if (seen != before) {
      Fail("the snapshot shows something else than before");
    }
    for (const auto& entry : before) {
      Require(db_->Put(WriteOptions(), entry.first, entry.second), "put back");
    }
  }

  void Compact() { db_->CompactRange(nullptr, nullptr); }

  // Returns the bytes of the tables that the newest version names.
  uint64_t TablesInUse() {
    std::string text;
    if (!db_->GetProperty("leveldb.sstables", &text)) {
      Fail("there is no list of tables");
    }
    uint64_t bytes = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const size_t colon = line.find(':');
      if (line.rfind(" ", 0) == 0 && colon != std::string::npos) {
        bytes += std::stoull(line.substr(colon + 1));
      }
    }
    return bytes;
  }

  void Churn() {
    Dice dice(1);
    const auto overwrite = [&] {
      for (int i = 0; i < 400; ++i) {
        std::string value;
        while (value.size() < 5000) {
          const uint64_t bytes = dice.Next();
          value.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
        }
        Require(db_->Put(WriteOptions(), "churned" + std::to_string(i), value), "overwrite");
      }
    };
    overwrite();
    const Snapshot* const snapshot = db_->GetSnapshot();
    std::unique_ptr<Iterator> entries(db_->NewIterator(ReadOptions()));
    for (int n = 0; n < 10; ++n) {
      overwrite();
    }
    entries.reset();
    db_->ReleaseSnapshot(snapshot);
    Compact();
    uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      bytes += entry.file_size();
    }
    std::printf("bytes %llu\n", static_cast<unsigned long long>(bytes - TablesInUse()));
  }

  void Dump() {
    Contents contents;
    Require(ReadContents(db_.get(), &contents), "read everything");
    std::ofstream out(Next(), std::ios::binary);
    out << DumpText(contents);
    if (!out.flush()) {
      Fail("cannot write the dump");
    }
  }

  void CloseAndOpen() {
    db_.reset();
    Open();
  }

  void Repair() {
    db_.reset();
    Require(RepairDB(path_, options_), "repair");
    Open();
  }

  const int count_;
  char** const words_;
  int at_ = 1;
  std::string path_;
  Options options_;
  std::unique_ptr<const FilterPolicy> bloom_;
  std::unique_ptr<DB> db_;
};

}  // namespace
}  // namespace testkit
}  // namespace leveldb

int main(int argc, char** argv) {
  leveldb::testkit::Driver(argc, argv).Run();
  return 0;
}
