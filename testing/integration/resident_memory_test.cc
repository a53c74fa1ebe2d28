// What compactions read does not stay in the resident memory of the process.

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

// The bytes of mapped tables in a directory: the total, and the resident ones.
struct Mapped {
  uint64_t bytes = 0;
  uint64_t resident = 0;
};

Mapped MappedFilesIn(const std::string& directory) {
  Mapped mapped;
  std::ifstream maps("/proc/self/smaps");
  bool counts = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find(directory) != std::string::npos) {
      counts = line.find(".ldb") != std::string::npos;
    } else if (line.find('-') != std::string::npos && line.find(':') > line.find(' ')) {
      counts = false;  // the first line of another mapping
    }
    std::istringstream words(line);
    std::string name;
    uint64_t kilobytes = 0;
    if (!counts || !(words >> name >> kilobytes)) continue;
    if (name == "Size:") mapped.bytes += kilobytes << 10;
    if (name == "Rss:") mapped.resident += kilobytes << 10;
  }
  return mapped;
}

TEST(ResidentMemory, HoldsNoTablesThatCompactionsHaveRead) {
  const TempDir dir(Medium::kDisk);
  if (IsInMemory(dir.path())) {
    GTEST_SKIP() << "a tmpfs may map a huge page at a time";
  }
  Dice dice(AnnouncedSeed());
  Options options;
  options.create_if_missing = true;
  options.compression = kNoCompression;
  options.write_buffer_size = 1 << 20;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, dir / "db", &opened));
  const std::unique_ptr<DB> db(opened);
  const auto overwrite = [&] {
    for (int i = 0; i < 15000; ++i) {
      ASSERT_OK(db->Put(WriteOptions(), std::to_string(dice.Below(10000)),
                        std::string(1000, static_cast<char>('a' + dice.Below(26)))));
    }
  };
  overwrite();
  // The iterator reads nothing, but keeps its tables open.
  const std::unique_ptr<Iterator> holder(db->NewIterator(ReadOptions()));
  overwrite();
  db->CompactRange(nullptr, nullptr);
  const Mapped mapped = MappedFilesIn(dir.path());
  ASSERT_GT(mapped.bytes, uint64_t{8} << 20);
  EXPECT_LT(mapped.resident, mapped.bytes / 3);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
