// Tests how often the device is read where data exceeds memory: exact numbers, for each kind of
// read.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/filter_policy.h"
#include "table/device_source.h"
#include "table/table_reader.h"
#include "table/table_testing.h"
#include "util/scan_window.h"

namespace leveldb {
namespace {

constexpr int kEntries = 4000;

class DeviceReadsTest : public testing::TestWithParam<CompressionType> {
 protected:
  DeviceReadsTest() {
    options_.filter_policy = filter_.get();
    options_.block_cache = cache_.get();
    options_.compression = GetParam();
    // Half of each value is random, so that blocks are compressed to half.
    Random random(301);
    entries_ = NumberedEntries(kEntries, 500);
    for (auto& [key, value] : entries_) {
      for (size_t i = 0; i < value.size() / 2; i++) value[i] = static_cast<char>(random.Next());
    }
    device_ = std::make_unique<DeviceSource>(BuildTable(options_, entries_));
    Open();
  }

  void Open() {
    table_.reset();
    device_->LeaveMemory();
    ASSERT_TRUE(TableReader::Open(options_, options_.comparator, device_.get(), device_.get(),
                                  device_->contents().size(), "", &table_)
                    .ok());
    opening_reads_ = device_->device_reads;
    // Opening has also read the end of the table, with index and filter.
    device_->LeaveMemory();
    device_->device_reads = 0;
    device_->device_bytes = 0;
  }

  bool Has(const std::string& key) const {
    Entries found;
    EXPECT_TRUE(table_->Get(ReadOptions(), key, &found, &NoteFound).ok());
    return !found.empty() && found[0].first == key;
  }

  const std::unique_ptr<const FilterPolicy> filter_{NewBloomFilterPolicy(20)};
  const std::unique_ptr<Cache> cache_{NewLRUCache(8 << 20)};
  Options options_;
  Entries entries_;
  std::unique_ptr<DeviceSource> device_;
  std::unique_ptr<TableReader> table_;
  int opening_reads_ = 0;
};

TEST_P(DeviceReadsTest, OpeningATableReadsOnce) {
  EXPECT_EQ(opening_reads_, 1);
}

TEST_P(DeviceReadsTest, ALookupReadsOneBlock) {
  EXPECT_TRUE(Has("key001234"));
  EXPECT_EQ(device_->device_reads, 1);
  EXPECT_LE(device_->device_bytes, 4096u + 600 + kBlockTrailerSize);
  EXPECT_TRUE(Has("key001234"));
  EXPECT_EQ(device_->device_reads, 1);
  device_->LeaveMemory();
  EXPECT_TRUE(Has("key001234"));
  // Uncompressed blocks are cached by the system only.
  EXPECT_EQ(device_->device_reads, GetParam() == kNoCompression ? 2 : 1);
  EXPECT_EQ(cache_->TotalCharge() == 0, GetParam() == kNoCompression);
}

TEST_P(DeviceReadsTest, MissingKeysReadNothing) {
  for (int i = 0; i < 100; i++) {
    EXPECT_FALSE(Has(entries_[static_cast<size_t>(i) * 30].first + "-with-a-long-end"));
  }
  // Allows for false positives, one in ten thousand.
  EXPECT_LE(device_->device_reads, 2);
}

TEST_P(DeviceReadsTest, ASeekThatIsBegunReadsOneBlockAhead) {
  const std::unique_ptr<PrefetchableIterator> iterator(table_->NewIterator(ReadOptions()));
  iterator->PrefetchSeek("key002000");
  EXPECT_EQ(device_->device_reads, 1);
  iterator->Seek("key002000");
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->key(), "key002000");
  EXPECT_EQ(device_->device_reads, 1);
  EXPECT_LE(device_->device_bytes, 4096u + 600 + kBlockTrailerSize);
}

TEST_P(DeviceReadsTest, AScanReadsEachByteOnce) {
  const std::unique_ptr<PrefetchableIterator> iterator(table_->NewIterator(ReadOptions()));
  size_t count = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    EXPECT_EQ(iterator->key(), Slice(entries_[count].first));
    EXPECT_EQ(iterator->value(), Slice(entries_[count].second));
    count++;
  }
  EXPECT_EQ(count, entries_.size());
  EXPECT_LE(device_->device_bytes, device_->contents().size());
  // Reads 16 KiB, and twice as much each time: 1 MiB is reached after six reads.
  EXPECT_LE(device_->device_reads, 8);
}

TEST_P(DeviceReadsTest, AScanBackwardDoesAsWell) {
  const std::unique_ptr<PrefetchableIterator> iterator(table_->NewIterator(ReadOptions()));
  size_t count = entries_.size();
  for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
    count--;
    EXPECT_EQ(iterator->key(), Slice(entries_[count].first));
  }
  EXPECT_EQ(count, 0u);
  EXPECT_LE(device_->device_bytes, device_->contents().size());
  EXPECT_LE(device_->device_reads, 8);
}

// A hundred entries of half a KiB are 50 KiB, of which the first block is read separately.
TEST_P(DeviceReadsTest, AShortScanReadsLittleMoreThanItNeeds) {
  const std::unique_ptr<PrefetchableIterator> iterator(table_->NewIterator(ReadOptions()));
  iterator->Seek("key002000");
  for (int i = 0; i < 100; i++) iterator->Next();
  ASSERT_TRUE(iterator->Valid());
  EXPECT_LE(device_->device_reads, 4);
  EXPECT_LE(device_->device_bytes, 2 * 100 * 600u);
}

TEST_P(DeviceReadsTest, AReplacingScanLeavesNothingBehind) {
  ScanHints hints;
  hints.replaces = true;
  std::unique_ptr<PrefetchableIterator> iterator(table_->NewIterator(ReadOptions(), hints));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
  }
  EXPECT_LE(device_->device_reads, 3);
  iterator.reset();
  uint64_t left = 0;
  for (const auto& [begin, end] : device_->left) left += end - begin;
  EXPECT_EQ(left, device_->device_bytes);
}

TEST_P(DeviceReadsTest, FailingReadsAreReported) {
  device_->fails = true;
  Entries found;
  const Status status = table_->Get(ReadOptions(), "key001234", &found, &NoteFound);
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  const std::unique_ptr<PrefetchableIterator> iterator(table_->NewIterator(ReadOptions()));
  iterator->PrefetchSeek("key002000");
  iterator->Seek("key002000");
  EXPECT_TRUE(iterator->status().IsIOError()) << iterator->status().ToString();
  device_->fails = false;
  EXPECT_TRUE(Has("key001234"));
}

TEST_P(DeviceReadsTest, WhatFitsIntoMemoryIsReadWhereItLies) {
  device_->exceeds = false;
  EXPECT_TRUE(Has("key001234"));
  const std::unique_ptr<PrefetchableIterator> iterator(table_->NewIterator(ReadOptions()));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
  }
  EXPECT_EQ(device_->device_reads, 0);
}

INSTANTIATE_TEST_SUITE_P(Compression, DeviceReadsTest,
                         testing::Values(kNoCompression, kSnappyCompression));

}  // namespace
}  // namespace leveldb
