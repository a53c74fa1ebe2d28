// Tests damaged table files: reads return an error with an offset, or what can be saved; never a
// crash.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/filter_policy.h"
#include "table/block_handle.h"
#include "table/table_reader.h"
#include "table/table_testing.h"
#include "util/random.h"

namespace leveldb {

namespace {

// A file in memory of exactly its size, so that a sanitizer detects any access beyond it.
class ExactFile final : public RandomAccessFile {
 public:
  explicit ExactFile(const std::string& contents)
      : bytes_(new char[contents.size()]), size_(contents.size()) {
    contents.copy(bytes_.get(), size_);
  }

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    if (offset > size_ || n > size_ - offset) return Status::IOError("read beyond the end");
    *result = Slice(bytes_.get() + offset, n);
    return Status::OK();
  }

 private:
  const std::unique_ptr<char[]> bytes_;
  const size_t size_;
};

struct Table {
  Options options;
  std::unique_ptr<const FilterPolicy> bloom{NewBloomFilterPolicy(10)};
  Entries entries;
  std::string contents;
  Footer footer;

  explicit Table(CompressionType compression) {
    options.compression = compression;
    options.block_size = 200;
    options.block_restart_interval = 3;
    options.filter_policy = bloom.get();
    Random random(301);
    entries = RandomEntries(60, 30, options.comparator, &random, [&] {
      return "key" + std::string(1, static_cast<char>('a' + random.Uniform(26))) +
             std::string(1, static_cast<char>('a' + random.Uniform(26)));
    });
    contents = BuildTable(options, entries);
    EXPECT_TRUE(footer.DecodeFrom(Slice(contents.data() + contents.size() - 48, 48)).ok());
  }
};

// Reads everything in every way. With `trusted`, every entry that is returned must have been
// written.
void Exercise(const Table& table, const std::string& contents, const ReadOptions& read_options,
              bool paranoid, bool trusted) {
  Options options = table.options;
  options.paranoid_checks = paranoid;
  const ExactFile file(contents);
  std::unique_ptr<TableReader> reader;
  const Status opened =
      TableReader::Open(options, const_cast<ExactFile*>(&file), contents.size(), &reader);
  if (!opened.ok()) {
    ASSERT_EQ(reader, nullptr);
    ASSERT_TRUE(opened.IsCorruption()) << opened.ToString();
    return;
  }
  const auto check = [&](const Slice& key, const Slice& value) {
    const size_t i = SeekIndex(table.entries, options.comparator, key.ToString());
    if (!trusted) return;
    ASSERT_LT(i, table.entries.size());
    ASSERT_EQ(key.ToString(), table.entries[i].first);
    ASSERT_EQ(value.ToString(), table.entries[i].second);
  };
  const std::unique_ptr<Iterator> iterator(reader->NewIterator(read_options));
  size_t shown = 0;
  for (iterator->SeekToFirst(); iterator->Valid() && shown < 100000; iterator->Next(), shown++) {
    check(iterator->key(), iterator->value());
  }
  ASSERT_LT(shown, 100000u);
  if (trusted && shown < table.entries.size()) {
    ASSERT_TRUE(iterator->status().IsCorruption());
  }
  shown = 0;
  for (iterator->SeekToLast(); iterator->Valid() && shown < 100000; iterator->Prev(), shown++) {
    check(iterator->key(), iterator->value());
  }
  ASSERT_LT(shown, 100000u);
  struct Expectation {
    const std::string* key;
    const std::string* value;
    bool found;
  };
  for (size_t i = 0; i < table.entries.size(); i += 7) {
    iterator->Seek(table.entries[i].first);
    if (iterator->Valid()) check(iterator->key(), iterator->value());
    Expectation expectation{&table.entries[i].first, &table.entries[i].second, false};
    const Status status = reader->Get(
        read_options, table.entries[i].first, &expectation,
        [](void* arg, const Slice& key, const Slice& value) {
          Expectation* const expected = static_cast<Expectation*>(arg);
          expected->found = key == Slice(*expected->key) && value == Slice(*expected->value);
        });
    if (trusted) {
      ASSERT_TRUE(expectation.found || status.IsCorruption()) << status.ToString();
    }
    reader->ApproximateOffsetOf(table.entries[i].first);
  }
}

// Damages every byte of the file in turn. What checksums protect must then be right or refused.
TEST(TableCorruption, EveryByteDamaged) {
  for (const CompressionType compression : {kNoCompression, kSnappyCompression, kZstdCompression}) {
    const Table table(compression);
    ReadOptions verifying;
    verifying.verify_checksums = true;
    Exercise(table, table.contents, verifying, true, true);
    for (size_t i = 0; i < table.contents.size(); i++) {
      for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
        SCOPED_TRACE(testing::Message() << "byte " << i << " xor " << flip);
        std::string contents = table.contents;
        contents[i] = static_cast<char>(static_cast<uint8_t>(contents[i]) ^ flip);
        // The footer has no checksum: damage there can lead anywhere, but not to wrong entries.
        const bool in_footer = i >= contents.size() - Footer::kSize;
        Exercise(table, contents, verifying, true, !in_footer);
        Exercise(table, contents, ReadOptions(), false, false);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// A damaged index would hide keys, so its checksum is always verified.
TEST(TableCorruption, ADamagedIndexIsRefusedWithoutParanoidChecks) {
  Table table(kNoCompression);
  table.options.paranoid_checks = false;
  const BlockHandle& index = table.footer.index;
  for (uint64_t i = 0; i < index.size + kBlockTrailerSize; i++) {
    std::string contents = table.contents;
    contents[index.offset + i] ^= 1;
    const ExactFile file(contents);
    std::unique_ptr<TableReader> reader;
    const Status status =
        TableReader::Open(table.options, const_cast<ExactFile*>(&file), contents.size(), &reader);
    EXPECT_TRUE(status.IsCorruption()) << "byte " << i << ": " << status.ToString();
  }
}

TEST(TableCorruption, CutAnywhere) {
  const Table table(kSnappyCompression);
  for (size_t size = 0; size < table.contents.size(); size++) {
    SCOPED_TRACE(testing::Message() << "cut to " << size);
    const std::string contents = table.contents.substr(0, size);
    Exercise(table, contents, ReadOptions(), false, false);
    // With the right footer appended, all handles lead to wrong offsets.
    Exercise(table, contents + table.contents.substr(table.contents.size() - Footer::kSize),
             ReadOptions(), false, false);
    if (HasFatalFailure()) return;
  }
}

TEST(TableCorruption, RandomDamage) {
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Table table(static_cast<CompressionType>(seed % 3));
    std::string contents = table.contents;
    for (uint64_t n = 1 + random.Uniform(20); n > 0; n--) {
      // Damages mostly the index and the footer.
      const size_t back = random.OneIn(3) ? contents.size() : 400;
      contents[contents.size() - 1 - random.Uniform(back)] = static_cast<char>(random.Next());
    }
    if (random.OneIn(2)) {  // keep the magic number
      contents.replace(contents.size() - 8, 8, table.contents, table.contents.size() - 8, 8);
    }
    Exercise(table, contents, ReadOptions(), false, false);
    if (HasFatalFailure()) return;
  }
}

TEST(TableCorruption, OneBadBlockCostsItsEntriesOnly) {
  const Table table(kNoCompression);
  std::string contents = table.contents;
  contents[3] ^= 1;  // in the first data block
  const ExactFile file(contents);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(
      TableReader::Open(table.options, const_cast<ExactFile*>(&file), contents.size(), &reader)
          .ok());
  ReadOptions verifying;
  verifying.verify_checksums = true;
  for (const bool forward : {true, false}) {
    const std::unique_ptr<Iterator> iterator(reader->NewIterator(verifying));
    size_t shown = 0;
    if (forward) {
      for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) shown++;
    } else {
      for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) shown++;
    }
    EXPECT_GT(shown, table.entries.size() - 20);
    EXPECT_LT(shown, table.entries.size());
    EXPECT_EQ(iterator->status().ToString(), "Corruption: block at offset 0: checksum mismatch");
  }
}

TEST(TableCorruption, FilesThatAreNoTables) {
  for (const std::string& contents :
       {std::string(), std::string(47, 'x'), std::string(48, '\0'), std::string(5000, 'x')}) {
    StringSource file(contents, false);
    std::unique_ptr<TableReader> reader;
    const Status status = TableReader::Open(Options(), &file, contents.size(), &reader);
    EXPECT_TRUE(status.IsCorruption());
    EXPECT_NE(status.ToString().find("not a table file"), std::string::npos);
    EXPECT_EQ(reader, nullptr);
  }
}

}  // namespace

}  // namespace leveldb
