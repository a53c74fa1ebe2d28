#include "iterator/two_level.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "iterator/iterator_check.h"
#include "leveldb/comparator.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

namespace {

std::string KeyOf(uint64_t number) {
  const std::string digits = NumberToString(number);
  return std::string(5 - digits.size(), '0') + digits;
}

// Parts, some of them empty, and what an index over them looks like. Index values are the numbers
// of parts.
struct Parts {
  std::vector<Entries> parts;
  Entries index;
  Entries all;
  int opened = 0;

  static Iterator* Open(void* arg, const ReadOptions& options, const Slice& value) {
    Parts* const self = static_cast<Parts*>(arg);
    self->opened++;
    EXPECT_TRUE(options.verify_checksums);
    if (value == Slice("broken")) return NewErrorIterator(Status::IOError("cannot open"));
    return new EntriesIterator(self->parts.at(std::stoul(value.ToString())), BytewiseComparator());
  }

  std::unique_ptr<Iterator> NewIterator() {
    ReadOptions options;
    options.verify_checksums = true;
    return std::unique_ptr<Iterator>(NewTwoLevelIterator(
        new EntriesIterator(index, BytewiseComparator()), &Open, this, options));
  }
};

Parts RandomParts(Random* random) {
  Parts result;
  uint64_t number = 0;
  const size_t part_count = random->Uniform(10);
  for (size_t part = 0; part < part_count; part++) {
    Entries entries;
    for (size_t i = random->OneIn(3) ? 0 : random->Uniform(8); i > 0; i--) {
      number += 1 + random->Uniform(3);
      entries.emplace_back(KeyOf(number), "v" + NumberToString(number));
      result.all.push_back(entries.back());
    }
    number += random->Uniform(3);
    result.index.emplace_back(KeyOf(number), NumberToString(part));
    number++;
    result.parts.push_back(std::move(entries));
  }
  return result;
}

TEST(TwoLevelIterator, ShowsAllPartsInEveryDirection) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Parts parts = RandomParts(&random);
    const std::unique_ptr<Iterator> iterator = parts.NewIterator();
    WalkAtRandom(iterator.get(), parts.all, BytewiseComparator(), 400, &random,
                 [&] { return KeyOf(random.Uniform(120)); });
    if (HasFatalFailure()) return;
  }
}

TEST(TwoLevelIterator, KeepsThePartItStandsOnOpen) {
  Parts parts;
  parts.parts = {{{"00001", "a"}, {"00002", "b"}}, {{"00005", "c"}}};
  parts.index = {{"00002", "0"}, {"00005", "1"}};
  const std::unique_ptr<Iterator> iterator = parts.NewIterator();
  iterator->Seek("00001");
  iterator->Seek("00002");
  iterator->Next();
  iterator->Seek("00004");
  EXPECT_EQ(iterator->value().ToString(), "c");
  EXPECT_EQ(parts.opened, 2);
}

TEST(TwoLevelIterator, APartThatCannotBeOpenedIsSkippedAndReported) {
  Parts parts;
  parts.parts = {{{"00001", "a"}}, {}, {{"00005", "c"}}};
  parts.index = {{"00002", "0"}, {"00003", "broken"}, {"00005", "2"}};
  for (const bool forward : {true, false}) {
    const std::unique_ptr<Iterator> iterator = parts.NewIterator();
    EXPECT_TRUE(iterator->status().ok());
    std::string values;
    if (forward) {
      for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
        values += iterator->value().ToString();
      }
    } else {
      for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
        values += iterator->value().ToString();
      }
    }
    EXPECT_EQ(values, forward ? "ac" : "ca");
    EXPECT_TRUE(iterator->status().IsIOError());
  }
}

TEST(TwoLevelIterator, AFailingIndexIsReported) {
  Parts parts;
  parts.parts = {{{"00001", "a"}}, {{"00005", "c"}}};
  parts.index = {{"00002", "0"}, {"00005", "1"}};
  const std::unique_ptr<Iterator> iterator(NewTwoLevelIterator(
      new EntriesIterator(parts.index, BytewiseComparator(), 1),
      [](void* arg, const ReadOptions&, const Slice& value) -> Iterator* {
        const Parts* const self = static_cast<Parts*>(arg);
        return new EntriesIterator(self->parts.at(std::stoul(value.ToString())),
                                   BytewiseComparator());
      },
      &parts, ReadOptions()));
  iterator->SeekToFirst();
  ASSERT_TRUE(iterator->Valid());
  iterator->Next();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsCorruption());
}

}  // namespace

}  // namespace leveldb
