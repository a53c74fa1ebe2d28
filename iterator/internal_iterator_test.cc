#include "iterator/internal_iterator.h"

#include <gtest/gtest.h>

#include <memory>

#include "iterator/cached_iterator.h"
#include "iterator/iterator_check.h"
#include "leveldb/comparator.h"

namespace leveldb {
namespace {

TEST(InternalIterator, GetsTheResultOfHereAndOfAStep) {
  EntriesIterator entries({{"a", "1"}, {"b", "2"}}, BytewiseComparator());
  InternalIterator& iterator = entries;
  InternalIterator::IterateResult result{"kept", "as it was"};
  EXPECT_FALSE(iterator.GetResult(&result));
  EXPECT_EQ(result.key, Slice("kept"));
  EXPECT_EQ(result.value, Slice("as it was"));

  iterator.SeekToFirst();
  ASSERT_TRUE(iterator.GetResult(&result));
  EXPECT_EQ(result.key, Slice("a"));
  EXPECT_EQ(result.value, Slice("1"));
  ASSERT_TRUE(iterator.NextAndGetResult(&result));
  EXPECT_EQ(result.key, Slice("b"));
  EXPECT_EQ(result.value, Slice("2"));
  ASSERT_TRUE(iterator.PrevAndGetResult(&result));
  EXPECT_EQ(result.key, Slice("a"));
  EXPECT_EQ(result.value, Slice("1"));
  EXPECT_FALSE(iterator.PrevAndGetResult(&result));
  EXPECT_FALSE(iterator.Valid());
  EXPECT_EQ(result.key, Slice("a"));
}

TEST(InternalIterator, AnEmptyOneShowsNothing) {
  const std::unique_ptr<InternalIterator> iterator(NewEmptyInternalIterator());
  iterator->SeekToFirst();
  InternalIterator::IterateResult result;
  EXPECT_FALSE(iterator->GetResult(&result));
  EXPECT_TRUE(iterator->status().ok());
}

TEST(CachedIterator, RemembersWhereEachMoveLeads) {
  CachedIterator cached(
      new EntriesIterator({{"a", "1"}, {"b", "2"}, {"c", "3"}}, BytewiseComparator()));
  const auto expect = [&](const Slice& key, const Slice& value) {
    ASSERT_TRUE(cached.Valid());
    EXPECT_EQ(cached.key(), key);
    EXPECT_EQ(cached.value(), value);
  };
  EXPECT_FALSE(cached.Valid());
  cached.SeekToFirst();
  expect("a", "1");
  cached.Next();
  expect("b", "2");
  cached.SeekToLast();
  expect("c", "3");
  cached.Prev();
  expect("b", "2");
  cached.Seek("bb");
  expect("c", "3");
  cached.Next();
  EXPECT_FALSE(cached.Valid());

  // An iterator that is already valid is taken over at its position.
  std::unique_ptr<InternalIterator> other =
      std::make_unique<EntriesIterator>(Entries{{"x", "4"}, {"y", "5"}}, BytewiseComparator());
  other->SeekToLast();
  cached.Reset(other.release());
  expect("y", "5");
  const std::unique_ptr<InternalIterator> released(cached.Release());
  EXPECT_FALSE(cached.Valid());
  EXPECT_EQ(released->key(), Slice("y"));
}

}  // namespace
}  // namespace leveldb
