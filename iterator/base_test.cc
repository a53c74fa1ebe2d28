#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "iterator/prefetchable_iterator.h"
#include "leveldb/iterator.h"

namespace leveldb {

namespace {

void Note(void* notes, void* name) {
  static_cast<std::vector<std::string>*>(notes)->push_back(*static_cast<std::string*>(name));
}

TEST(IteratorBase, RunsEveryCleanupOnceWhenDeleted) {
  std::vector<std::string> notes;
  std::vector<std::string> names = {"a", "b", "c", "d"};
  {
    const std::unique_ptr<Iterator> iterator(NewEmptyIterator());
    for (std::string& name : names) iterator->RegisterCleanup(&Note, &notes, &name);
    EXPECT_TRUE(notes.empty());
  }
  std::sort(notes.begin(), notes.end());
  EXPECT_EQ(notes, names);
}

TEST(IteratorBase, TheEmptyIteratorHasNothingAndIsWell) {
  const std::unique_ptr<Iterator> iterator(NewEmptyIterator());
  EXPECT_FALSE(iterator->Valid());
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  iterator->SeekToLast();
  EXPECT_FALSE(iterator->Valid());
  iterator->Seek("key");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().ok());
}

TEST(IteratorBase, TheErrorIteratorTellsItsError) {
  const std::unique_ptr<Iterator> iterator(NewErrorIterator(Status::IOError("disk", "gone")));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsIOError());
  EXPECT_EQ(iterator->status().ToString(), "IO error: disk: gone");

  const std::unique_ptr<PrefetchableIterator> prefetchable(
      NewPrefetchableErrorIterator(Status::IOError("disk", "gone")));
  prefetchable->PrefetchSeek("key");
  prefetchable->Seek("key");
  EXPECT_FALSE(prefetchable->Valid());
  EXPECT_EQ(prefetchable->status().ToString(), "IO error: disk: gone");
}

}  // namespace

}  // namespace leveldb
