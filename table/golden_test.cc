// Tests tables that LevelDB wrote. They must be readable, and building them again from their
// entries must give exactly the same bytes.

#include <gtest/gtest.h>
#include <snappy.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "leveldb/filter_policy.h"
#include "table/block_handle.h"
#include "table/compression.h"
#include "table/table_reader.h"
#include "table/table_testing.h"

namespace leveldb {

namespace {

// Other versions of snappy may compress to other bytes.
constexpr int kGoldenSnappyVersion = 0x010109;

// A table, and the options that it was written with.
struct GoldenTable {
  const char* path;
  bool reverse;
  bool bloom;
  size_t block_size;
  int restart_interval;
  CompressionType compression;
};

const GoldenTable kGoldenTables[] = {
    {"db0/000005.ldb", false, false, 4096, 16, kSnappyCompression},
    {"db0/000016.ldb", false, false, 4096, 16, kSnappyCompression},
    {"db0/000018.ldb", false, false, 4096, 16, kSnappyCompression},
    {"db0/000020.ldb", false, false, 4096, 16, kSnappyCompression},
    {"db1/000022.ldb", false, true, 1024, 4, kNoCompression},
    {"db3/000005.ldb", true, true, 4096, 16, kSnappyCompression},
    {"db3/000016.ldb", true, true, 4096, 16, kSnappyCompression},
    {"db3/000018.ldb", true, true, 4096, 16, kSnappyCompression},
    {"db3/000020.ldb", true, true, 4096, 16, kSnappyCompression},
};

std::string ReadFile(const std::string& path) {
  std::ifstream file(std::string(BUSHSTORE_GOLDEN_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

Entries ReadEntries(const TableReader& reader) {
  ReadOptions options;
  options.verify_checksums = true;
  const std::unique_ptr<Iterator> iterator(reader.NewIterator(options));
  Entries entries;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    entries.emplace_back(iterator->key().ToString(), iterator->value().ToString());
  }
  EXPECT_TRUE(iterator->status().ok()) << iterator->status().ToString();
  return entries;
}

TEST(GoldenTable, ReadsWellAndIsBuiltAlike) {
  const ReverseComparator reverse;
  const TrailerComparator forward_trailer(BytewiseComparator());
  const TrailerComparator reverse_trailer(&reverse);
  const BodyFilterPolicy bloom(NewBloomFilterPolicy(10));
  for (const GoldenTable& golden : kGoldenTables) {
    SCOPED_TRACE(golden.path);
    Options options;
    const TrailerComparator* const comparator =
        golden.reverse ? &reverse_trailer : &forward_trailer;
    options.comparator = comparator;
    options.paranoid_checks = true;
    options.block_size = golden.block_size;
    options.block_restart_interval = golden.restart_interval;
    options.compression = golden.compression;
    if (golden.bloom) options.filter_policy = &bloom;
    const std::string contents = ReadFile(golden.path);
    StringSource file(contents, true);
    std::unique_ptr<TableReader> reader;
    const KeyOrder order(comparator, kTestTrailerSize, !golden.reverse);
    const Status status =
        TableReader::Open(options, order, &file, nullptr, contents.size(), "", &reader);
    ASSERT_TRUE(status.ok()) << status.ToString();

    const Entries entries = ReadEntries(*reader);
    ASSERT_GT(entries.size(), 100u);
    for (size_t i = 0; i < entries.size(); i++) {
      if (i > 0) {
        ASSERT_LT(comparator->Compare(entries[i - 1].first, entries[i].first), 0);
      }
      struct Expectation {
        const std::pair<std::string, std::string>& entry;
        bool met;
      } expectation{entries[i], false};
      ASSERT_TRUE(reader
                      ->Get(ReadOptions(), entries[i].first, &expectation,
                            [](void* arg, const Slice& key, const Slice& value) {
                              Expectation* const expected = static_cast<Expectation*>(arg);
                              expected->met = key == Slice(expected->entry.first) &&
                                              value == Slice(expected->entry.second);
                            })
                      .ok());
      ASSERT_TRUE(expectation.met);
    }
    if (golden.compression == kNoCompression || SNAPPY_VERSION == kGoldenSnappyVersion) {
      EXPECT_TRUE(BuildTable(options, entries) == contents);
    }
  }
}

}  // namespace

}  // namespace leveldb
