// Tests the bytes that the builder writes, and the cursor over sound and damaged blocks.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "iterator/key_order.h"
#include "table/block.h"
#include "table/block_builder.h"
#include "table/block_cursor.h"
#include "table/table_testing.h"
#include "util/coding.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

namespace {

std::string BuildBlock(const Entries& entries, int restart_interval) {
  BlockBuilder builder(restart_interval);
  for (const auto& [key, value] : entries) builder.Add(key, value);
  const size_t expected = builder.CurrentSize();
  const std::string contents = builder.Finish(0)->slice().ToString();
  EXPECT_EQ(contents.size(), expected);
  return contents;
}

// Wraps a cursor as an Iterator, for WalkAtRandom.
class CursorIterator final : public Iterator {
 public:
  CursorIterator(const Block& block, const KeyOrder& order) : order_(order) {
    cursor_.Attach(block, order.trailer_size());
  }

  bool Valid() const override { return cursor_.Valid(); }
  void SeekToFirst() override { cursor_.SeekToFirst(); }
  void SeekToLast() override { cursor_.SeekToLast(); }
  void Seek(const Slice& target) override { cursor_.Seek(order_, target); }
  void Next() override { cursor_.Next(); }
  void Prev() override { cursor_.Prev(); }
  Slice key() const override { return cursor_.key(); }
  Slice value() const override { return cursor_.value(); }
  Status status() const override {
    return cursor_.corrupt() ? Status::Corruption("block") : Status::OK();
  }

 private:
  const KeyOrder order_;
  BlockCursor cursor_;
};

Block ParseBlock(const std::string& contents) {
  Block block;
  EXPECT_TRUE(Block::Parse(contents, &block));
  return block;
}

TEST(BlockBuilder, TheBytesOfABlock) {
  const Entries entries = {{"apple", "1"}, {"apply", "22"}, {"bat", ""}};
  const std::string expected(
      "\x00\x05\x01"
      "apple1"
      "\x04\x01\x02"
      "y22"
      "\x00\x03\x00"
      "bat"
      "\x00\x00\x00\x00"
      "\x0f\x00\x00\x00"
      "\x02\x00\x00\x00",
      33);
  EXPECT_EQ(Escaped(BuildBlock(entries, 2)), Escaped(expected));
}

TEST(BlockBuilder, AnEmptyBlockHasARestartPoint) {
  EXPECT_EQ(BuildBlock({}, 16), std::string("\0\0\0\0\1\0\0\0", 8));
}

TEST(BlockBuilder, CanBeUsedAgain) {
  BlockBuilder builder(1);
  builder.Add("b", "1");
  builder.Add("c", "2");
  EXPECT_EQ(builder.last_key().ToString(), "c");
  builder.Finish(5);
  builder.Reset();
  EXPECT_TRUE(builder.empty());
  builder.set_restart_interval(16);
  builder.Add("a", "3");
  EXPECT_EQ(builder.Finish(0)->slice().ToString(), BuildBlock({{"a", "3"}}, 16));
}

TEST(Block, FramesThatCannotBe) {
  Block block;
  EXPECT_FALSE(Block::Parse(Slice(), &block));
  for (size_t size = 1; size < 8; size++) {
    EXPECT_FALSE(Block::Parse(std::string(size, '\0'), &block)) << size;
  }
  EXPECT_FALSE(Block::Parse(std::string(100, '\0'), &block));    // no restart points
  EXPECT_FALSE(Block::Parse(std::string(100, '\xff'), &block));  // too many
  EXPECT_FALSE(Block::Parse(std::string("\0\0\0\0\2\0\0\0", 8), &block));
  EXPECT_FALSE(Block::Parse(std::string("\1\0\0\0\1\0\0\0", 8), &block));  // begins elsewhere
  EXPECT_TRUE(Block::Parse(std::string("\0\0\0\0\1\0\0\0", 8), &block));
}

TEST(BlockCursor, NothingAttachedHasNoEntries) {
  BlockCursor cursor;
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekToFirst();
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekToLast();
  EXPECT_FALSE(cursor.Valid());
  cursor.Seek(BytewiseComparator(), "x");
  EXPECT_FALSE(cursor.Valid());
  EXPECT_FALSE(cursor.corrupt());
}

TEST(BlockCursor, KeysMayBeEmptyAndGrowByPrefixes) {
  Entries entries = {{"", "empty"}};
  for (size_t size = 1; size < 300; size++) entries.emplace_back(std::string(size, 'a'), "v");
  for (const int interval : {1, 3, 16, 1000}) {
    const std::string contents = BuildBlock(entries, interval);
    CursorIterator iterator(ParseBlock(contents), BytewiseComparator());
    Random random(301);
    WalkAtRandom(&iterator, entries, BytewiseComparator(), 1000, &random,
                 [&] { return std::string(random.Uniform(310), 'a'); });
    if (HasFatalFailure()) return;
  }
}

// An order of keys, and a function that makes keys for it.
struct OrderCase {
  const char* name;
  KeyOrder order;
  bool has_trailer;
};

TEST(BlockCursor, ShowsWhatWasAddedInEveryOrder) {
  const ReverseComparator reverse;
  const TrailerComparator trailer(BytewiseComparator());
  const TrailerComparator reverse_trailer(&reverse);
  const OrderCase cases[] = {
      {"bytewise", BytewiseComparator(), false},
      {"reverse", &reverse, false},
      {"bytewise with trailer", KeyOrder(&trailer, kTestTrailerSize, true), true},
      {"reverse with trailer", KeyOrder(&reverse_trailer, kTestTrailerSize, false), true},
      {"not known to be bytewise", KeyOrder(&trailer, kTestTrailerSize, false), true},
  };
  for (uint64_t seed = 1; seed <= 60; seed++) {
    const OrderCase& order_case = cases[seed % 5];
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << order_case.name);
    Random random(seed);
    const auto new_key = [&] {
      const std::string body = RandomBody(&random);
      return order_case.has_trailer ? TrailerComparator::MakeKey(body, random.Uniform(5)) : body;
    };
    const Comparator* const comparator = order_case.order.comparator();
    const Entries entries = RandomEntries(random.Uniform(300), random.OneIn(2) ? 20 : 20000,
                                          comparator, &random, new_key);
    static constexpr int kIntervals[] = {1, 2, 16, 10000};
    const std::string contents = BuildBlock(entries, kIntervals[random.Uniform(4)]);
    CursorIterator iterator(ParseBlock(contents), order_case.order);
    WalkAtRandom(&iterator, entries, comparator, 1000, &random, new_key);
    if (HasFatalFailure()) return;
  }
}

TEST(BlockCursor, KeysShorterThanATrailerAreCorrupt) {
  const TrailerComparator trailer(BytewiseComparator());
  const KeyOrder order(&trailer, kTestTrailerSize, true);
  const std::string good = TrailerComparator::MakeKey("a", 1);
  for (const int interval : {1, 16}) {
    const std::string contents = BuildBlock({{good, "1"}, {"short", "2"}}, interval);
    BlockCursor cursor;
    cursor.Attach(ParseBlock(contents), order.trailer_size());
    cursor.SeekToFirst();
    ASSERT_TRUE(cursor.Valid());
    cursor.Next();
    EXPECT_FALSE(cursor.Valid());
    EXPECT_TRUE(cursor.corrupt());
    cursor.Seek(order, TrailerComparator::MakeKey("b", 1));
    EXPECT_TRUE(cursor.corrupt());
    cursor.SeekToLast();
    EXPECT_TRUE(cursor.corrupt());
    cursor.SeekToFirst();
    EXPECT_TRUE(cursor.Valid());
    EXPECT_FALSE(cursor.corrupt());
  }
}

// Calls all functions of a block; bounded, whatever the block holds.
void ExerciseBlock(const std::string& contents, const Entries& original) {
  // Allocates exactly as much memory as the block has, so that a sanitizer detects any access
  // beyond it.
  const std::unique_ptr<char[]> copy(new char[contents.size()]);
  contents.copy(copy.get(), contents.size());
  Block block;
  if (!Block::Parse(Slice(copy.get(), contents.size()), &block)) return;
  const KeyOrder order = BytewiseComparator();
  BlockCursor cursor;
  cursor.Attach(block, 0);
  size_t bytes = 0;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    bytes += cursor.key().ToString().size() + cursor.value().ToString().size();
  }
  for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) {
    bytes += cursor.key().ToString().size() + cursor.value().ToString().size();
  }
  for (size_t i = 0; i < original.size(); i += 5) {
    cursor.Seek(order, original[i].first);
    if (cursor.Valid()) cursor.Prev();
    if (cursor.Valid()) cursor.Prev();
    if (cursor.Valid()) cursor.Next();
    if (cursor.Valid()) bytes += cursor.key().ToString().size();
  }
  ASSERT_LT(bytes, 100u << 20);
}

TEST(BlockCursor, DamagedBlocksAreHarmless) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Entries entries =
        RandomEntries(60, 200, BytewiseComparator(), &random, [&] { return RandomBody(&random); });
    const std::string good = BuildBlock(entries, seed % 2 == 0 ? 16 : 3);
    for (int i = 0; i < 300; i++) {
      std::string contents = good;
      for (uint64_t n = 1 + random.Uniform(3); n > 0; n--) {
        contents[random.Uniform(contents.size())] = static_cast<char>(random.Next());
      }
      if (random.OneIn(4)) contents.resize(random.Uniform(contents.size()));
      ExerciseBlock(contents, entries);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(BlockCursor, EveryByteOfTheFrameDamaged) {
  Entries entries;
  for (int i = 100; i < 200; i++) entries.emplace_back("key" + NumberToString(i), "value");
  const std::string good = BuildBlock(entries, 4);
  for (size_t i = 0; i < good.size(); i++) {
    for (const unsigned value : {0x00u, 0x01u, 0x7fu, 0x80u, 0xffu}) {
      std::string contents = good;
      contents[i] = static_cast<char>(value);
      ExerciseBlock(contents, entries);
    }
  }
}

// Restart points lead into the middle of entries, beyond the end, or backward.
TEST(BlockCursor, WildRestartPoints) {
  Entries entries;
  for (int i = 100; i < 140; i++) entries.emplace_back("key" + NumberToString(i), "value");
  const std::string good = BuildBlock(entries, 4);
  const size_t array = good.size() - 4 - 10 * 4;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    std::string contents = good;
    for (int n = 0; n < 3; n++) {
      const size_t at = array + 4 + 4 * random.Uniform(9);
      const uint32_t offset =
          static_cast<uint32_t>(random.OneIn(3) ? random.Next() : random.Uniform(array + 10));
      StoreFixed32(contents.data() + at, offset);
    }
    ExerciseBlock(contents, entries);
  }
}

// The block has a key of half its size, and then thousands of entries that share all of it.
TEST(BlockCursor, LongSharedKeysTakeNoMoreMemoryThanTheBlock) {
  std::string contents;
  const std::string key(100000, 'k');
  AppendVarint32(&contents, 0);
  AppendVarint32(&contents, static_cast<uint32_t>(key.size()));
  AppendVarint32(&contents, 0);
  contents += key;
  for (int i = 0; i < 30000; i++) {
    AppendVarint32(&contents, static_cast<uint32_t>(key.size()));
    AppendVarint32(&contents, 0);
    AppendVarint32(&contents, 0);
  }
  AppendFixed32(&contents, 0);
  AppendFixed32(&contents, 1);
  BlockCursor cursor;
  cursor.Attach(ParseBlock(contents), 0);
  int count = 0;
  for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) count++;
  EXPECT_EQ(count, 30001);
}

// Tests around the lengths at which a size takes one byte more, with as few bytes after it as
// possible.
TEST(BlockEntry, DecodesSizesOfEveryLength) {
  for (const uint32_t shared : {0u, 127u, 128u}) {
    for (const uint32_t unshared : {0u, 1u, 127u, 128u}) {
      for (const uint32_t value_size : {0u, 1u, 127u, 128u, 16383u, 16384u, 2097152u}) {
        SCOPED_TRACE(testing::Message() << shared << " " << unshared << " " << value_size);
        std::string text;
        for (const uint32_t size : {shared, unshared, value_size}) AppendVarint32(&text, size);
        const size_t head = text.size();
        text.append(unshared + value_size, 'x');
        const std::vector<char> bytes(text.begin(), text.end());
        const char* const limit = bytes.data() + bytes.size();
        BlockEntry entry;
        ASSERT_TRUE(entry.Decode(bytes.data(), limit));
        EXPECT_EQ(entry.shared, shared);
        EXPECT_EQ(entry.unshared, unshared);
        EXPECT_EQ(entry.value_size, value_size);
        EXPECT_EQ(entry.key_suffix, bytes.data() + head);
        EXPECT_EQ(entry.end(), limit);
        EXPECT_FALSE(entry.Decode(bytes.data(), limit - 1));
        for (size_t cut = 0; cut < head; cut++) {
          const std::vector<char> begun(bytes.begin(), bytes.begin() + static_cast<int>(cut));
          EXPECT_FALSE(entry.Decode(begun.data(), begun.data() + cut));
        }
      }
    }
  }
}

}  // namespace

}  // namespace leveldb
