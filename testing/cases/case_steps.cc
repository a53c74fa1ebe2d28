// case_steps: the operations of the cases in this folder on a database. It is linked to
// libleveldb.so.1d, so that LD_LIBRARY_PATH determines which library it runs with.
//
//   case_steps write DIR PREFIX N   puts N entries and ends as if it was killed
//   case_steps count DIR            prints how many entries there are
//   case_steps repair DIR           repairs the database
//   case_steps space DIR            makes a database whose tables are mostly obsolete, compacts it,
//                                   and prints the bytes of its files when CompactRange has
//                                   returned, and after it was closed
//   case_steps memory DIR           makes a database, reads it with little address space, and
//                                   prints how many reads succeeded, failed with an IOError, and
//                                   failed with another status
//
// It exits with 1 and prints the status if a call fails that should not.

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>

#include "leveldb/db.h"

namespace leveldb {
namespace {

constexpr size_t kPageSize = 4096;

void Require(const Status& status) {
  if (status.ok()) return;
  std::printf("%s\n", status.ToString().c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

std::unique_ptr<DB> Open(const Options& options, const std::string& path) {
  DB* db = nullptr;
  Require(DB::Open(options, path, &db));
  return std::unique_ptr<DB>(db);
}

Options Creating() {
  Options options;
  options.create_if_missing = true;
  return options;
}

std::string Key(int i) {
  const std::string digits = std::to_string(i);
  return std::string(10 - digits.size(), '0') + digits;
}

[[noreturn]] void Write(const std::string& path, const std::string& prefix, int count) {
  const std::unique_ptr<DB> db = Open(Creating(), path);
  const std::string value(1000, 'v');
  for (int i = 0; i < count; ++i) {
    Require(db->Put(WriteOptions(), prefix + std::to_string(i), value));
  }
  std::_Exit(0);
}

void Count(const std::string& path) {
  const std::unique_ptr<DB> db = Open(Options(), path);
  const std::unique_ptr<Iterator> entries(db->NewIterator(ReadOptions()));
  int count = 0;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) ++count;
  Require(entries->status());
  std::printf("%d entries\n", count);
}

uint64_t FileBytes(const std::string& path) {
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

// A snapshot and an iterator keep every version until they are released.
void Space(const std::string& path) {
  constexpr int kEntries = 1000;
  constexpr int kRounds = 60;
  std::unique_ptr<DB> db = Open(Creating(), path);
  std::mt19937_64 random(1);
  const auto write = [&] {
    for (int i = 0; i < kEntries; ++i) {
      std::string value;
      while (value.size() < 1000) value += std::to_string(random());
      Require(db->Put(WriteOptions(), Key(i), value));
    }
  };
  write();
  const Snapshot* const snapshot = db->GetSnapshot();
  std::unique_ptr<Iterator> entries(db->NewIterator(ReadOptions()));
  for (int round = 0; round < kRounds; ++round) write();
  const uint64_t before = FileBytes(path);
  entries.reset();
  db->ReleaseSnapshot(snapshot);
  db->CompactRange(nullptr, nullptr);
  const uint64_t compacted = FileBytes(path);
  db.reset();
  std::printf("before %llu compacted %llu closed %llu\n", static_cast<unsigned long long>(before),
              static_cast<unsigned long long>(compacted),
              static_cast<unsigned long long>(FileBytes(path)));
}

void LimitAddressSpace(size_t further) {
  std::ifstream statm("/proc/self/statm");
  size_t pages = 0;
  statm >> pages;
  rlimit limit;
  limit.rlim_cur = limit.rlim_max = pages * kPageSize + further;
  if (setrlimit(RLIMIT_AS, &limit) != 0) Require(Status::IOError("setrlimit"));
}

// Makes 120 MB of tables that are not compressed, so that they are mapped, and limits the address
// space to 80 MB.
void Memory(const std::string& path) {
  constexpr int kEntries = 60000;
  Options options = Creating();
  options.compression = kNoCompression;
  options.max_file_size = 8 << 20;
  std::unique_ptr<DB> db = Open(options, path);
  std::string value(2000, 'x');
  for (int i = 0; i < kEntries; ++i) {
    ++value[static_cast<size_t>(i) % value.size()];
    Require(db->Put(WriteOptions(), Key(i), value));
  }
  db->CompactRange(nullptr, nullptr);
  db.reset();
  LimitAddressSpace(80 << 20);
  db = Open(options, path);
  int succeeded = 0;
  int io_errors = 0;
  int others = 0;
  std::string other;
  for (int i = 0; i < kEntries; i += 3) {
    const Status status = db->Get(ReadOptions(), Key(i), &value);
    if (status.ok()) {
      ++succeeded;
    } else if (status.IsIOError()) {
      ++io_errors;
    } else {
      ++others;
      other = status.ToString();
    }
  }
  std::printf("succeeded %d io_errors %d others %d %s\n", succeeded, io_errors, others,
              other.c_str());
}

int Run(int argc, char** argv) {
  const std::string step = argc < 3 ? "" : argv[1];
  if (step == "write" && argc == 5) Write(argv[2], argv[3], std::atoi(argv[4]));
  if (step == "count") {
    Count(argv[2]);
  } else if (step == "repair") {
    Require(RepairDB(argv[2], Options()));
  } else if (step == "space") {
    Space(argv[2]);
  } else if (step == "memory") {
    Memory(argv[2]);
  } else {
    std::fprintf(stderr, "case_steps: the comment at the top of case_steps.cc has the usage\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace leveldb

int main(int argc, char** argv) {
  return leveldb::Run(argc, argv);
}
