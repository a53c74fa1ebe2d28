#include "table/block_source.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "table/compression.h"
#include "table/table_testing.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb {

namespace {

// Appends a block as it is stored on disk and returns its handle.
BlockHandle AppendStored(const std::string& payload, uint8_t type, std::string* file) {
  const BlockHandle handle{file->size(), payload.size()};
  std::string checked = payload + static_cast<char>(type);
  file->append(checked);
  AppendFixed32(file, crc32c::Mask(crc32c::Value(checked.data(), checked.size())));
  return handle;
}

struct Files {
  std::string raw = std::string(3000, 'r');
  std::string big = std::string(30000, 'b');  // more than fits on the stack
  std::string text;
  std::string contents;
  BlockHandle raw_handle;
  BlockHandle big_handle;
  BlockHandle snappy_handle;
  BlockHandle zstd_handle;
  BlockHandle unknown_handle;
  BlockHandle bad_data_handle;

  Files() {
    while (text.size() < 5000) text += "text ";
    raw_handle = AppendStored(raw, 0, &contents);
    big_handle = AppendStored(big, 0, &contents);
    ByteBuffer compressed;
    EXPECT_TRUE(CompressBlock(kSnappyCompression, text, 0, &compressed));
    snappy_handle = AppendStored(compressed.slice().ToString(), 1, &contents);
    EXPECT_TRUE(CompressBlock(kZstdCompression, text, 0, &compressed));
    zstd_handle = AppendStored(compressed.slice().ToString(), 2, &contents);
    unknown_handle = AppendStored(raw, 3, &contents);
    bad_data_handle = AppendStored(std::string("\x20") + std::string(8, '\xff'), 1, &contents);
  }
};

TEST(BlockSource, FetchesEveryKindFromEveryKindOfFile) {
  const Files files;
  const std::unique_ptr<Cache> cache(NewLRUCache(1 << 20));
  for (const bool mapped : {false, true}) {
    for (Cache* const used_cache : {static_cast<Cache*>(nullptr), cache.get()}) {
      for (const bool fill_cache : {false, true}) {
        StringSource file(files.contents, mapped);
        const BlockSource source(&file, nullptr, files.contents.size(), used_cache, "");
        ReadOptions options;
        options.fill_cache = fill_cache;
        options.verify_checksums = true;
        PinnedBlock block;
        for (int round = 0; round < 2; round++) {
          ASSERT_TRUE(source.Fetch(options, files.raw_handle, &block).ok());
          EXPECT_EQ(block.contents().ToString(), files.raw);
          EXPECT_EQ(block.IsMapped(), mapped);
          ASSERT_TRUE(source.Fetch(options, files.big_handle, &block).ok());
          EXPECT_EQ(block.contents().ToString(), files.big);
          ASSERT_TRUE(source.Fetch(options, files.snappy_handle, &block).ok());
          EXPECT_EQ(block.contents().ToString(), files.text);
          EXPECT_FALSE(block.IsMapped());
          ASSERT_TRUE(source.Fetch(options, files.zstd_handle, &block).ok());
          EXPECT_EQ(block.contents().ToString(), files.text);
          ASSERT_TRUE(source.FetchOnce(true, files.snappy_handle, &block).ok());
          EXPECT_EQ(block.contents().ToString(), files.text);
        }
      }
    }
  }
}

TEST(BlockSource, MappedRawBlocksAreUsedInPlaceAndNotCached) {
  const Files files;
  const std::unique_ptr<Cache> cache(NewLRUCache(1 << 20));
  StringSource file(files.contents, true);
  const BlockSource source(&file, nullptr, files.contents.size(), cache.get(), "");
  PinnedBlock block;
  ASSERT_TRUE(source.Fetch(ReadOptions(), files.raw_handle, &block).ok());
  EXPECT_EQ(block.contents().data(), file.contents().data());
  EXPECT_EQ(cache->TotalCharge(), 0u);
}

TEST(BlockSource, PrefetchingReadsNothing) {
  Files files;
  Footer footer;
  footer.AppendTo(&files.contents);
  ReadOptions verifying;
  verifying.verify_checksums = true;
  for (const bool mapped : {false, true}) {
    StringSource file(files.contents, mapped);
    BlockSource source(&file, nullptr, files.contents.size(), nullptr, "");
    EXPECT_FALSE(source.PrefetchBlock(ReadOptions(), files.raw_handle));  // not known yet
    ASSERT_TRUE(source.ReadFooter(&footer).ok());
    EXPECT_EQ(file.reads, 1);
    for (int entries = 0; entries < 3; entries++) {
      for (const BlockHandle& handle : {files.raw_handle, files.big_handle}) {
        EXPECT_EQ(source.PrefetchBlock(ReadOptions(), handle), mapped);
        EXPECT_EQ(source.PrefetchBlock(verifying, handle), mapped);
      }
      EXPECT_FALSE(source.PrefetchBlock(ReadOptions(), {UINT64_MAX, UINT64_MAX}));
      source.NoteEntry(Slice(file.contents().data() + 1000 * entries, 1000));
    }
    EXPECT_EQ(file.reads, 1);
  }
}

TEST(BlockSource, WhatTheCacheMayHaveIsNotAskedForAhead) {
  Files files;
  Footer footer;
  footer.AppendTo(&files.contents);
  const std::unique_ptr<Cache> cache(NewLRUCache(1 << 20));
  StringSource file(files.contents, true);
  BlockSource source(&file, nullptr, files.contents.size(), cache.get(), "");
  ASSERT_TRUE(source.ReadFooter(&footer).ok());
  EXPECT_TRUE(source.PrefetchBlock(ReadOptions(), files.snappy_handle));
  PinnedBlock block;
  ASSERT_TRUE(source.Fetch(ReadOptions(), files.snappy_handle, &block).ok());
  EXPECT_FALSE(source.PrefetchBlock(ReadOptions(), files.snappy_handle));
}

TEST(BlockSource, TheCacheSparesReads) {
  const Files files;
  const std::unique_ptr<Cache> cache(NewLRUCache(1 << 20));
  StringSource file(files.contents, false);
  const BlockSource source(&file, nullptr, files.contents.size(), cache.get(), "");
  const BlockSource other(&file, nullptr, files.contents.size(), cache.get(), "");
  ReadOptions no_fill;
  no_fill.fill_cache = false;
  PinnedBlock block;

  ASSERT_TRUE(source.Fetch(no_fill, files.raw_handle, &block).ok());
  EXPECT_EQ(cache->TotalCharge(), 0u);
  EXPECT_EQ(file.reads, 1);
  ASSERT_TRUE(source.Fetch(ReadOptions(), files.raw_handle, &block).ok());
  EXPECT_EQ(cache->TotalCharge(), files.raw.size());
  EXPECT_EQ(file.reads, 2);
  ASSERT_TRUE(source.Fetch(ReadOptions(), files.raw_handle, &block).ok());
  ASSERT_TRUE(source.Fetch(no_fill, files.raw_handle, &block).ok());
  EXPECT_EQ(file.reads, 2);
  // Another table with the same cache has blocks of its own.
  ASSERT_TRUE(other.Fetch(ReadOptions(), files.raw_handle, &block).ok());
  EXPECT_EQ(file.reads, 3);
  ASSERT_TRUE(source.Fetch(ReadOptions(), files.snappy_handle, &block).ok());
  EXPECT_EQ(cache->TotalCharge(), 2 * files.raw.size() + files.text.size());
}

TEST(BlockSource, PinnedBytesOutliveTheirCacheEntry) {
  const Files files;
  const std::unique_ptr<Cache> cache(NewLRUCache(1));
  StringSource file(files.contents, false);
  const BlockSource source(&file, nullptr, files.contents.size(), cache.get(), "");
  PinnedBlock first;
  PinnedBlock second;
  ASSERT_TRUE(source.Fetch(ReadOptions(), files.snappy_handle, &first).ok());
  ASSERT_TRUE(source.Fetch(ReadOptions(), files.raw_handle, &second).ok());
  cache->Prune();
  EXPECT_EQ(first.contents().ToString(), files.text);
  EXPECT_EQ(second.contents().ToString(), files.raw);
}

void ExpectCorruption(const BlockSource& source, bool verify, const BlockHandle& handle,
                      const std::string& message) {
  ReadOptions options;
  options.verify_checksums = verify;
  PinnedBlock block;
  const Status status = source.Fetch(options, handle, &block);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(status.ToString().find(message), std::string::npos) << status.ToString();
  EXPECT_TRUE(block.contents().empty());
}

TEST(BlockSource, DamageIsNamedWithItsPlace) {
  Files files;
  std::string damaged = files.contents;
  damaged[files.snappy_handle.offset + 100] ^= 1;
  for (const bool mapped : {false, true}) {
    StringSource file(damaged, mapped);
    const BlockSource source(&file, nullptr, damaged.size(), nullptr, "");
    const std::string at = "block at offset ";
    ExpectCorruption(source, true, files.snappy_handle,
                     at + std::to_string(files.snappy_handle.offset) + ": checksum mismatch");
    ExpectCorruption(
        source, true, files.unknown_handle,
        at + std::to_string(files.unknown_handle.offset) + ": unknown compression type");
    ExpectCorruption(source, false, files.bad_data_handle,
                     at + std::to_string(files.bad_data_handle.offset) + ": bad compressed data");
  }
}

TEST(BlockSource, DamageIsNamedWithItsFile) {
  const Files files;
  StringSource file(files.contents, true);
  BlockSource source(&file, nullptr, files.contents.size(), nullptr, "/d/000007.ldb");
  const std::string at = std::to_string(files.unknown_handle.offset);
  ExpectCorruption(source, true, files.unknown_handle,
                   "/d/000007.ldb: Corruption: block at offset " + at + ": unknown");
  Footer footer;
  EXPECT_EQ(source.ReadFooter(&footer).ToString().find("Corruption: /d/000007.ldb: "), 0u);
}

TEST(BlockSource, HandlesBeyondTheFile) {
  const Files files;
  for (const bool mapped : {false, true}) {
    StringSource file(files.contents, mapped);
    const uint64_t size = files.contents.size();
    const BlockSource source(&file, nullptr, size, nullptr, "");
    for (const BlockHandle handle :
         {BlockHandle{size, 0}, BlockHandle{size - 4, 0}, BlockHandle{0, size},
          BlockHandle{0, size - 4}, BlockHandle{1, UINT64_MAX}, BlockHandle{UINT64_MAX, 1},
          BlockHandle{UINT64_MAX, UINT64_MAX}, BlockHandle{UINT64_MAX - 2, 5},
          BlockHandle{0, UINT64_MAX - 4}}) {
      ExpectCorruption(source, false, handle, "reaches beyond the end of the file");
    }
    EXPECT_EQ(file.reads, 0);
  }
}

TEST(BlockSource, AFileShorterThanItsSize) {
  const Files files;
  StringSource file(files.contents.substr(0, 2000), true);
  const BlockSource source(&file, nullptr, files.contents.size(), nullptr, "");
  ExpectCorruption(source, false, files.raw_handle, "the file ends inside the block");
}

TEST(BlockSource, ReadErrorsPass) {
  const Files files;
  StringSource file(files.contents, false);
  file.fail_from = 0;
  const BlockSource source(&file, nullptr, files.contents.size(), nullptr, "");
  PinnedBlock block;
  EXPECT_TRUE(source.Fetch(ReadOptions(), files.raw_handle, &block).IsIOError());
}

}  // namespace

}  // namespace leveldb
