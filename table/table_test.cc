// Tests whole tables: the reader returns what the builder wrote.

#include "leveldb/table.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "iterator/read_ahead.h"
#include "leveldb/cache.h"
#include "leveldb/filter_policy.h"
#include "leveldb/table_builder.h"
#include "table/table_builder_access.h"
#include "table/table_reader.h"
#include "table/table_testing.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

namespace {

// Returns what Get finds for `target`; empty for nothing.
Entries Get(const TableReader& reader, const ReadOptions& options, const std::string& target) {
  Entries found;
  const Status status = reader.Get(options, target, &found, &NoteFound);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_LE(found.size(), 1u);
  return found;
}

// Checks that every entry is found, and that any other target finds at most the entry after it.
void CheckGets(const TableReader& reader, const ReadOptions& options, const Entries& entries,
               const Comparator* comparator, const std::vector<std::string>& targets) {
  for (const auto& entry : entries) {
    const Entries found = Get(reader, options, entry.first);
    ASSERT_EQ(found.size(), 1u) << Escaped(entry.first);
    ASSERT_EQ(found[0], entry);
  }
  for (const std::string& target : targets) {
    const Entries found = Get(reader, options, target);
    if (found.empty()) continue;
    const size_t index = SeekIndex(entries, comparator, target);
    ASSERT_LT(index, entries.size());
    ASSERT_EQ(found[0], entries[index]);
  }
}

// Checks that offsets grow with the keys and reach the end of the data after the last.
void CheckOffsets(const TableReader& reader, const Entries& entries, uint64_t file_size) {
  uint64_t last = 0;
  for (const auto& [key, value] : entries) {
    const uint64_t offset = reader.ApproximateOffsetOf(key);
    ASSERT_GE(offset, last);
    ASSERT_LT(offset, file_size);
    last = offset;
  }
}

TEST(Table, ShowsWhatWasAddedUnderAllOptions) {
  const ReverseComparator reverse;
  const TrailerComparator trailer(BytewiseComparator());
  const TrailerComparator reverse_trailer(&reverse);
  const KeyOrder orders[] = {BytewiseComparator(), &reverse,
                             KeyOrder(&trailer, kTestTrailerSize, true),
                             KeyOrder(&reverse_trailer, kTestTrailerSize, false)};
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  const BodyFilterPolicy body_bloom(NewBloomFilterPolicy(10));
  const std::unique_ptr<Cache> cache(NewLRUCache(100000));

  for (uint64_t seed = 1; seed <= 100; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const KeyOrder& order = orders[seed % 4];
    const Comparator* const comparator = order.comparator();
    const auto new_key = [&] {
      const std::string body = RandomBody(&random);
      return order.trailer_size() > 0 ? TrailerComparator::MakeKey(body, random.Uniform(4)) : body;
    };
    Options options;
    options.comparator = comparator;
    options.paranoid_checks = random.OneIn(2);
    options.block_size = size_t{1} << random.Uniform(14);
    options.block_restart_interval = static_cast<int>(1 + random.Uniform(20));
    options.compression = static_cast<CompressionType>(random.Uniform(3));
    options.block_cache = random.OneIn(2) ? cache.get() : nullptr;
    if (random.OneIn(2)) {
      options.filter_policy =
          order.trailer_size() > 0 ? static_cast<const FilterPolicy*>(&body_bloom) : bloom.get();
    }
    const Entries entries = RandomEntries(random.Uniform(400), random.OneIn(10) ? 20000 : 100,
                                          comparator, &random, new_key);
    StringSource file(BuildTable(options, entries), random.OneIn(2));
    const uint64_t file_size = file.contents().size();
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(TableReader::Open(options, order, &file, nullptr, file_size, "", &reader).ok());

    ReadOptions read_options;
    read_options.verify_checksums = random.OneIn(2);
    read_options.fill_cache = random.OneIn(2);
    std::vector<std::string> targets;
    for (int i = 0; i < 200; i++) targets.push_back(new_key());
    CheckGets(*reader, read_options, entries, comparator, targets);
    if (HasFatalFailure()) return;
    CheckOffsets(*reader, entries, file_size);
    if (HasFatalFailure()) return;
    const std::unique_ptr<Iterator> iterator =
        OneWayToSeek(reader->NewIterator(read_options), random.OneIn(2));
    WalkAtRandom(iterator.get(), entries, comparator, 1000, &random, new_key);
    if (HasFatalFailure()) return;
  }
}

TEST(Table, ShowsTheSameReadingAheadOrNot) {
  Random random(301);
  Entries entries;
  for (int i = 0; i < 10 * ReadAhead::kStretch; i++) {
    entries.emplace_back(std::to_string(100000 + i), std::string(400 + random.Uniform(800), 'v'));
  }
  Options options;
  options.compression = kNoCompression;
  StringSource file(BuildTable(options, entries), true);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(TableReader::Open(options, &file, file.contents().size(), &reader).ok());
  for (const bool backward : {false, true}) {
    ReadAheadHabit habit;
    ReadAhead ahead(&habit);
    int changes = 0;
    ScanHints hints;
    hints.read_ahead = &ahead;
    const std::unique_ptr<Iterator> iterator(reader->NewIterator(ReadOptions(), hints));
    WalkReadingAhead(iterator.get(), entries, backward, &ahead, &changes);
    // The first stretch does not prefetch, the second does, and one of the next two is a trial.
    EXPECT_GE(changes, 2);
  }
}

// ---- the public classes ----

std::unique_ptr<Table> OpenTable(const Options& options, RandomAccessFile* file, uint64_t size) {
  Table* table = nullptr;
  const Status status = Table::Open(options, file, size, &table);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::unique_ptr<Table>(table);
}

TEST(Table, ThePublicClassShowsAll) {
  const Entries entries = NumberedEntries(1000, 50);
  StringSource file(BuildTable(Options(), entries), true);
  const std::unique_ptr<Table> table = OpenTable(Options(), &file, file.contents().size());
  const std::unique_ptr<Iterator> iterator(table->NewIterator(ReadOptions()));
  EXPECT_FALSE(iterator->Valid());
  Entries seen;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    seen.emplace_back(iterator->key().ToString(), iterator->value().ToString());
  }
  EXPECT_EQ(seen, entries);
  EXPECT_TRUE(iterator->status().ok());
}

TEST(Table, AnEmptyTable) {
  StringSource file(BuildTable(Options(), {}), true);
  const std::unique_ptr<Table> table = OpenTable(Options(), &file, file.contents().size());
  const std::unique_ptr<Iterator> iterator(table->NewIterator(ReadOptions()));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  iterator->SeekToLast();
  EXPECT_FALSE(iterator->Valid());
  iterator->Seek("x");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().ok());
  EXPECT_EQ(table->ApproximateOffsetOf("x"), 0u);
}

TEST(Table, ApproximateOffsets) {
  Options options;
  options.compression = kNoCompression;
  options.block_size = 1024;
  const Entries entries = {{"k01", "hello"},
                           {"k02", "hello2"},
                           {"k03", std::string(10000, 'x')},
                           {"k04", std::string(200000, 'x')},
                           {"k05", std::string(300000, 'x')},
                           {"k06", "hello3"},
                           {"k07", std::string(100000, 'x')}};
  StringSource file(BuildTable(options, entries), false);
  const std::unique_ptr<Table> table = OpenTable(options, &file, file.contents().size());
  EXPECT_EQ(table->ApproximateOffsetOf("abc"), 0u);
  EXPECT_EQ(table->ApproximateOffsetOf("k01"), 0u);
  EXPECT_EQ(table->ApproximateOffsetOf("k03"), 0u);
  const auto expect_near = [&](const char* key, uint64_t offset) {
    EXPECT_GE(table->ApproximateOffsetOf(key), offset) << key;
    EXPECT_LE(table->ApproximateOffsetOf(key), offset + 1000) << key;
  };
  expect_near("k04", 10000);
  expect_near("k04a", 210000);
  expect_near("k05", 210000);
  expect_near("k06", 510000);
  expect_near("k07", 510000);
  expect_near("xyz", 610000);
  EXPECT_GT(table->ApproximateOffsetOf("xyz") + 1000, file.contents().size());
}

TEST(TableBuilder, EveryBlockIsOneAppend) {
  Options options;
  options.compression = kNoCompression;
  StringSink sink;
  TableBuilder builder(options, &sink);
  for (const auto& [key, value] : NumberedEntries(1000, 100)) builder.Add(key, value);
  ASSERT_TRUE(builder.Finish().ok());
  std::unique_ptr<TableReader> reader;
  StringSource file(sink.contents, true);
  ASSERT_TRUE(TableReader::Open(options, &file, sink.contents.size(), &reader).ok());
  int data_blocks = 0;
  uint64_t last = UINT64_MAX;
  for (const auto& [key, value] : NumberedEntries(1000, 100)) {
    if (reader->ApproximateOffsetOf(key) != last) data_blocks++;
    last = reader->ApproximateOffsetOf(key);
  }
  EXPECT_GT(data_blocks, 20);
  EXPECT_EQ(sink.appends, data_blocks + 3);  // metaindex, index, footer
  EXPECT_EQ(sink.flushes, 0);
}

TEST(TableBuilder, FlushBeginsANewBlockAndFlushesTheFile) {
  StringSink sink;
  TableBuilder builder(Options(), &sink);
  builder.Add("a", "1");
  EXPECT_EQ(builder.FileSize(), 0u);
  builder.Flush();
  EXPECT_GT(builder.FileSize(), 0u);
  EXPECT_EQ(builder.FileSize(), sink.contents.size());
  EXPECT_EQ(sink.flushes, 1);
  builder.Add("b", "2");
  ASSERT_TRUE(builder.Finish().ok());
  StringSource file(sink.contents, true);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(TableReader::Open(Options(), &file, sink.contents.size(), &reader).ok());
  EXPECT_NE(reader->ApproximateOffsetOf("a"), reader->ApproximateOffsetOf("b"));
}

TEST(TableBuilder, OptionsMayChangeButForTheComparator) {
  const Entries entries = NumberedEntries(2000, 100);
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  const ReverseComparator reverse;
  Options options;
  options.filter_policy = bloom.get();
  StringSink sink;
  TableBuilder builder(options, &sink);
  Options changed = options;
  changed.comparator = &reverse;
  EXPECT_TRUE(builder.ChangeOptions(changed).IsInvalidArgument());
  for (size_t i = 0; i < entries.size(); i++) {
    if (i % 100 == 50) {
      changed = Options();  // no filter any more; the one begun is continued
      changed.block_size = 300 + i;
      changed.block_restart_interval = static_cast<int>(i % 7);
      changed.compression = i % 200 == 50 ? kNoCompression : kZstdCompression;
      ASSERT_TRUE(builder.ChangeOptions(changed).ok());
    }
    builder.Add(entries[i].first, entries[i].second);
  }
  ASSERT_TRUE(builder.Finish().ok());
  StringSource file(sink.contents, true);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(TableReader::Open(options, &file, sink.contents.size(), &reader).ok());
  CheckGets(*reader, ReadOptions(), entries, BytewiseComparator(), {});
}

TEST(TableBuilder, AbandonWritesNoMore) {
  StringSink sink;
  {
    TableBuilder builder(Options(), &sink);
    builder.Add("a", "1");
    builder.Abandon();
    EXPECT_EQ(builder.NumEntries(), 1u);
    EXPECT_TRUE(builder.status().ok());
  }
  EXPECT_TRUE(sink.contents.empty());
}

TEST(TableBuilder, WriteErrorsStayAndAreReturned) {
  const Entries entries = NumberedEntries(500, 100);
  const size_t whole = BuildTable(Options(), entries).size();
  for (size_t capacity = 0; capacity < whole; capacity += whole / 40) {
    StringSink sink;
    sink.capacity = capacity;
    TableBuilder builder(Options(), &sink);
    for (const auto& [key, value] : entries) builder.Add(key, value);
    EXPECT_TRUE(builder.Finish().IsIOError());
    EXPECT_TRUE(builder.status().IsIOError());
    EXPECT_LE(builder.FileSize(), capacity);
  }
}

// The predicted size is that of the finished table or slightly more.
TEST(TableBuilder, KnowsHowLongTheTableWouldBecome) {
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  for (const bool has_filter : {false, true}) {
    for (const size_t value_size : {0, 10, 100, 1000, 10000}) {
      Options options;
      options.compression = kNoCompression;
      options.filter_policy = has_filter ? bloom.get() : nullptr;
      const Entries entries = NumberedEntries(700, value_size);
      for (size_t count = 1; count <= entries.size(); count += 1 + count / 3) {
        StringSink sink;
        TableBuilder builder(options, &sink);
        uint64_t expected = 0;
        for (size_t i = 0; i < count; i++) {
          expected = TableBuilderAccess::SizeWith(builder, entries[i].first, entries[i].second);
          builder.Add(entries[i].first, entries[i].second);
        }
        ASSERT_TRUE(builder.Finish().ok());
        EXPECT_GE(expected, sink.contents.size()) << value_size << ", " << count;
        EXPECT_LE(expected, sink.contents.size() + sink.contents.size() / 10 + 200);
      }
    }
  }
}

// ---- filters ----

TEST(Table, TheFilterSparesReadingBlocks) {
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  Options options;
  options.filter_policy = bloom.get();
  const Entries entries = NumberedEntries(1000, 100);
  StringSource file(BuildTable(options, entries), false);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(TableReader::Open(options, &file, file.contents().size(), &reader).ok());
  const int before = file.reads;
  for (const auto& [key, value] : entries) Get(*reader, ReadOptions(), key + "x");
  EXPECT_LT(file.reads - before, 60);  // 1 % false positives
  for (const auto& [key, value] : entries) {
    EXPECT_EQ(Get(*reader, ReadOptions(), key).size(), 1u);
  }
  EXPECT_GE(file.reads - before, 1000);
}

TEST(Table, ADamagedFilterIsNotUsed) {
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  Options options;
  options.filter_policy = bloom.get();
  const Entries entries = NumberedEntries(100, 10);
  const std::string good = BuildTable(options, entries);
  Footer footer;
  ASSERT_TRUE(footer.DecodeFrom(Slice(good.data() + good.size() - 48, 48)).ok());
  // Covers all of the filter block and the metaindex block.
  for (uint64_t i = footer.metaindex.offset - 140; i < footer.index.offset; i++) {
    std::string bad = good;
    bad[i] = static_cast<char>(~bad[i]);
    StringSource file(bad, true);
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(TableReader::Open(options, &file, bad.size(), &reader).ok());
    for (const auto& [key, value] : entries) {
      ASSERT_EQ(Get(*reader, ReadOptions(), key).size(), 1u);
    }
  }
}

TEST(Table, AFilterOfAnotherPolicyIsNotUsed) {
  class EmptyPolicy final : public FilterPolicy {
   public:
    const char* Name() const override { return "test.Nothing"; }
    void CreateFilter(const Slice* keys, int n, std::string* dst) const override {}
    bool KeyMayMatch(const Slice& key, const Slice& filter) const override { return false; }
  };
  const EmptyPolicy other;
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  Options options;
  options.filter_policy = bloom.get();
  const Entries entries = NumberedEntries(100, 10);
  StringSource file(BuildTable(options, entries), true);
  options.filter_policy = &other;
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(TableReader::Open(options, &file, file.contents().size(), &reader).ok());
  for (const auto& [key, value] : entries) {
    ASSERT_EQ(Get(*reader, ReadOptions(), key).size(), 1u);
  }
}

}  // namespace

}  // namespace leveldb
