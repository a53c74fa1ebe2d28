#include "db/open/table_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "entry/internal_filter_policy.h"
#include "entry/internal_key.h"
#include "leveldb/filter_policy.h"
#include "leveldb/helpers/memenv.h"
#include "leveldb/options.h"
#include "leveldb/table_builder.h"
#include "table/block.h"
#include "table/block_builder.h"
#include "table/block_cursor.h"
#include "table/block_handle.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "util/crc32c.h"

namespace leveldb {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

class Findings final : public TableScanHandler {
 public:
  bool Entry(const Slice& key, const Slice& value) override {
    entries.emplace_back(key.ToString(), value.ToString());
    return entries.size() != stop_after;
  }
  void Damage(uint64_t, uint64_t, const std::string& what) override { damage.push_back(what); }

  bool Tells(const std::string& part) const {
    for (const std::string& what : damage) {
      if (what.find(part) != std::string::npos) return true;
    }
    return false;
  }

  size_t stop_after = 0;
  Entries entries;
  std::vector<std::string> damage;
};

class TableScanTest : public ::testing::Test {
 protected:
  TableScanTest()
      : env_(NewMemEnv(Env::Default())),
        comparator_(BytewiseComparator()),
        bloom_(NewBloomFilterPolicy(10)),
        internal_bloom_(bloom_.get()) {
    options_.comparator = &comparator_;
    options_.filter_policy = &internal_bloom_;
    options_.compression = kNoCompression;
    options_.block_size = 1024;
  }

  // Builds a table of about 20 data blocks.
  std::string BuildTable() {
    entries_.clear();
    WritableFile* opened = nullptr;
    EXPECT_OK(env_->NewWritableFile("/table", &opened));
    const std::unique_ptr<WritableFile> file(opened);
    TableBuilder builder(options_, file.get());
    for (int i = 0; i < 200; i++) {
      std::string key;
      AppendInternalKey(&key, "key" + std::to_string(1000 + i), 500 - i,
                        i % 7 == 0 ? kTypeDeletion : kTypeValue);
      entries_.emplace_back(key,
                            i % 7 == 0 ? "" : std::string(100, static_cast<char>('a' + i % 26)));
      builder.Add(entries_.back().first, entries_.back().second);
    }
    EXPECT_OK(builder.Finish());
    EXPECT_OK(file->Close());
    std::string bytes;
    EXPECT_OK(ReadFileToString(env_.get(), "/table", &bytes));
    return bytes;
  }

  Findings Scan(const std::string& bytes, size_t stop_after = 0) {
    Findings findings;
    findings.stop_after = stop_after;
    EXPECT_OK(WriteStringToFile(env_.get(), bytes, "/scanned"));
    EXPECT_OK(ScanTable(env_.get(), "/scanned", &findings));
    return findings;
  }

  static Footer FooterOf(const std::string& table) {
    Footer footer;
    EXPECT_OK(footer.DecodeFrom(Slice(table.data() + table.size() - Footer::kSize, Footer::kSize)));
    return footer;
  }

  static BlockHandle FirstBlockOf(const std::string& table) {
    const BlockHandle index_handle = FooterOf(table).index;
    Block index;
    EXPECT_TRUE(Block::Parse(Slice(table.data() + index_handle.offset, index_handle.size), &index));
    BlockCursor cursor;
    cursor.Attach(index, 0);
    cursor.SeekToFirst();
    BlockHandle handle;
    Slice value = cursor.value();
    EXPECT_TRUE(handle.ConsumeFrom(&value));
    return handle;
  }

  static std::string WithFlippedBit(std::string bytes, size_t offset) {
    bytes[offset] = static_cast<char>(bytes[offset] ^ 4);
    return bytes;
  }

  const std::unique_ptr<Env> env_;
  const InternalKeyComparator comparator_;
  const std::unique_ptr<const FilterPolicy> bloom_;
  const InternalFilterPolicy internal_bloom_;
  Options options_;
  Entries entries_;  // of the table built last
};

TEST_F(TableScanTest, FindsEveryEntryOfASoundTable) {
  for (const CompressionType compression : {kNoCompression, kSnappyCompression}) {
    for (const FilterPolicy* policy : {static_cast<const FilterPolicy*>(&internal_bloom_),
                                       static_cast<const FilterPolicy*>(nullptr)}) {
      options_.compression = compression;
      options_.filter_policy = policy;
      const Findings findings = Scan(BuildTable());
      EXPECT_EQ(findings.entries, entries_);
      EXPECT_TRUE(findings.damage.empty());
    }
  }
}

TEST_F(TableScanTest, StopsWhenTheHandlerHasHadEnough) {
  const Findings findings = Scan(BuildTable(), 5);
  EXPECT_EQ(findings.entries.size(), 5u);
}

TEST_F(TableScanTest, PassesOverADamagedDataBlock) {
  const Findings findings = Scan(WithFlippedBit(BuildTable(), 5000));
  EXPECT_GT(findings.entries.size(), 150u);
  EXPECT_LT(findings.entries.size(), entries_.size());
  EXPECT_EQ(findings.entries.front(), entries_.front());
  EXPECT_EQ(findings.entries.back(), entries_.back());
  ASSERT_EQ(findings.damage.size(), 1u);
  EXPECT_TRUE(findings.Tells("data block")) << findings.damage[0];
}

TEST_F(TableScanTest, TellsOfDamageThatLosesNoEntry) {
  const std::string table = BuildTable();
  const Footer footer = FooterOf(table);
  const std::pair<uint64_t, std::string> places[] = {
      {footer.metaindex.offset - 20, "filter.leveldb.BuiltinBloomFilter2"},
      {footer.metaindex.offset + 1, "metaindex"},
      {footer.index.offset + 1, "index"},
      {table.size() - 1, "footer"},
  };
  for (const auto& [offset, what] : places) {
    const Findings findings = Scan(WithFlippedBit(table, offset));
    EXPECT_EQ(findings.entries, entries_) << what;
    EXPECT_TRUE(findings.Tells(what)) << what;
  }
}

// With and without a filter block between the data blocks and the index, which must not be mistaken
// for a data block.
TEST_F(TableScanTest, FindsTheBlocksOfATableThatWasCutShort) {
  for (const FilterPolicy* policy : {static_cast<const FilterPolicy*>(&internal_bloom_),
                                     static_cast<const FilterPolicy*>(nullptr)}) {
    for (const CompressionType compression : {kNoCompression, kSnappyCompression}) {
      options_.filter_policy = policy;
      options_.compression = compression;
      const std::string table = BuildTable();
      const Footer footer = FooterOf(table);
      size_t entries_before = 0;
      for (size_t size = 0; size < table.size(); size += 13) {
        const Findings findings = Scan(table.substr(0, size));
        ASSERT_FALSE(findings.damage.empty());
        ASSERT_LE(findings.entries.size(), entries_.size());
        ASSERT_TRUE(std::equal(findings.entries.begin(), findings.entries.end(), entries_.begin()));
        ASSERT_GE(findings.entries.size(), entries_before);
        entries_before = findings.entries.size();
        if (size > footer.metaindex.offset) {
          ASSERT_EQ(findings.entries.size(), entries_.size());
        }
      }
    }
  }
}

TEST_F(TableScanTest, FindsTheBlocksInFrontOfDamageWhenTheIndexIsGone) {
  std::string table = BuildTable();
  const Findings findings = Scan(WithFlippedBit(table, 10000).substr(0, 15000));
  EXPECT_GT(findings.entries.size(), 50u);
  EXPECT_TRUE(findings.Tells("no sound block from here on"));
}

TEST_F(TableScanTest, FindsABlockOfOneLargeEntry) {
  options_.block_size = 4096;
  WritableFile* opened = nullptr;
  ASSERT_OK(env_->NewWritableFile("/table", &opened));
  const std::unique_ptr<WritableFile> file(opened);
  TableBuilder builder(options_, file.get());
  std::string key;
  AppendInternalKey(&key, "large", 1, kTypeValue);
  const std::string value = testkit::Dice(1).Bytes(3 << 20);
  builder.Add(key, value);
  ASSERT_OK(builder.Finish());
  ASSERT_OK(file->Close());
  std::string bytes;
  ASSERT_OK(ReadFileToString(env_.get(), "/table", &bytes));
  const Findings findings = Scan(bytes.substr(0, bytes.size() - 10));
  ASSERT_EQ(findings.entries.size(), 1u);
  EXPECT_EQ(findings.entries[0].second, value);
}

TEST_F(TableScanTest, FilesThatAreNoTables) {
  EXPECT_TRUE(Scan("").Tells("empty"));
  for (const std::string& bytes : {std::string("x"), std::string(48, '\0'), std::string(5000, 'x'),
                                   std::string(100000, '\0')}) {
    const Findings findings = Scan(bytes);
    EXPECT_TRUE(findings.entries.empty());
    EXPECT_TRUE(findings.Tells("footer"));
  }
  Findings findings;
  EXPECT_FALSE(ScanTable(env_.get(), "/missing", &findings).ok());
}

// Appends a block with its trailer and returns where it is.
BlockHandle AppendBlock(std::string* table, BlockBuilder* builder) {
  const Slice contents = builder->Finish(0)->slice();
  const BlockHandle handle{table->size(), contents.size()};
  table->append(contents.data(), contents.size());
  table->push_back('\0');
  AppendFixed32(table, crc32c::Mask(crc32c::Value(table->data() + handle.offset, handle.size + 1)));
  return handle;
}

TEST_F(TableScanTest, AnIndexThatNamesABlockTwiceDoesNotMultiplyIt) {
  std::string table, key, handle_bytes;
  AppendInternalKey(&key, "key", 1, kTypeValue);
  BlockBuilder data(16);
  data.Add(key, "value");
  AppendBlock(&table, &data).AppendTo(&handle_bytes);
  Footer footer;
  BlockBuilder metaindex(16);
  footer.metaindex = AppendBlock(&table, &metaindex);
  BlockBuilder index(1);
  for (int i = 0; i < 1000; i++) index.Add("x" + std::to_string(1000 + i), handle_bytes);
  footer.index = AppendBlock(&table, &index);
  footer.AppendTo(&table);

  const Findings findings = Scan(table);
  EXPECT_EQ(findings.entries.size(), 1u);
  EXPECT_TRUE(findings.Tells("index"));
}

TEST_F(TableScanTest, RandomDamageNeverInventsAnEntry) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  for (int round = 0; round < testkit::Scaled(300); round++) {
    options_.compression = dice.OneIn(2) ? kNoCompression : kSnappyCompression;
    std::string table = BuildTable();
    for (uint64_t wounds = dice.Between(1, 3); wounds > 0 && !table.empty(); wounds--) {
      const size_t place = dice.Below(table.size());
      const size_t length = std::min<size_t>(dice.Between(1, 300), table.size() - place);
      switch (dice.Below(4)) {
        case 0:
          table[place] = static_cast<char>(dice.Next());
          break;
        case 1:
          table.replace(place, length, dice.Bytes(length));
          break;
        case 2:
          table.erase(place, length);
          break;
        case 3:
          table.resize(std::max<size_t>(place, 1));
          break;
      }
    }
    const Findings findings = Scan(table);
    const std::map<std::string, std::string> originals(entries_.begin(), entries_.end());
    for (const auto& [key, value] : findings.entries) {
      const auto found = originals.find(key);
      ASSERT_TRUE(found != originals.end());
      ASSERT_EQ(found->second, value);
    }
    if (findings.damage.empty()) {
      ASSERT_EQ(findings.entries, entries_);
    }
  }
}

// Bytes that were manipulated and then given correct checksums.
TEST_F(TableScanTest, MalformedBlocksUnderGoodChecksums) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  options_.compression = kNoCompression;
  const std::string table = BuildTable();
  const Footer footer = FooterOf(table);
  const BlockHandle first_block = FirstBlockOf(table);
  for (int round = 0; round < testkit::Scaled(500); round++) {
    std::string bytes = table;
    for (const BlockHandle& handle : {footer.index, footer.metaindex, first_block}) {
      if (dice.OneIn(2)) continue;
      for (uint64_t wounds = dice.Between(1, 3); wounds > 0; wounds--) {
        bytes[handle.offset + dice.Below(handle.size)] = static_cast<char>(dice.Next());
      }
      const uint32_t crc = crc32c::Value(bytes.data() + handle.offset, handle.size + 1);
      StoreFixed32(&bytes[handle.offset + handle.size + 1], crc32c::Mask(crc));
    }
    const Findings findings = Scan(bytes);
    ASSERT_LE(findings.entries.size(), 10 * entries_.size());
  }
}

}  // namespace
}  // namespace leveldb
