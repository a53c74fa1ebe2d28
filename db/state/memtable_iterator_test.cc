#include "db/state/memtable_iterator.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/comparator.h"

namespace leveldb {
namespace {

// Returns "key#sequence" of all entries.
std::string Walk(const MemTable& memtable, bool backward = false) {
  const std::unique_ptr<Iterator> iterator(NewMemTableIterator(memtable));
  std::string text;
  backward ? iterator->SeekToLast() : iterator->SeekToFirst();
  for (; iterator->Valid(); backward ? iterator->Prev() : iterator->Next()) {
    text += ExtractUserKey(iterator->key()).ToString() + "#" +
            std::to_string(ExtractTrailer(iterator->key()) >> 8) + " ";
  }
  EXPECT_TRUE(iterator->status().ok());
  return text;
}

class MemTableIteratorTest : public testing::Test {
 protected:
  void Add(SequenceNumber sequence, const char* key, size_t part) {
    memtable_.Add(sequence, kTypeValue, key, "v", part);
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  MemTable memtable_{&comparator_};
};

TEST_F(MemTableIteratorTest, AnEmptyMemTableHasNothing) {
  EXPECT_EQ("", Walk(memtable_));
  EXPECT_EQ("", Walk(memtable_, true));
}

TEST_F(MemTableIteratorTest, OnePartIsEnough) {
  Add(2, "b", 1);
  Add(1, "a", 1);
  EXPECT_EQ("a#1 b#2 ", Walk(memtable_));
}

TEST_F(MemTableIteratorTest, PartsAreOneSequence) {
  Add(1, "b", 0);
  Add(2, "a", 1);
  Add(3, "b", 1);
  Add(4, "c", 0);
  Add(5, "b", 0);
  EXPECT_EQ("a#2 b#5 b#3 b#1 c#4 ", Walk(memtable_));
  EXPECT_EQ("c#4 b#1 b#3 b#5 a#2 ", Walk(memtable_, true));
}

}  // namespace
}  // namespace leveldb
