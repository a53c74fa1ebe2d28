#include "db/state/snapshot_list.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

TEST(SnapshotListTest, OldestIsTheFirstNotYetReleased) {
  SnapshotList list;
  EXPECT_TRUE(list.empty());
  const ListedSnapshot* first = list.Take(10);
  const ListedSnapshot* twin = list.Take(10);
  const ListedSnapshot* last = list.Take(12);
  EXPECT_EQ(10u, list.oldest());
  list.Release(first);
  EXPECT_EQ(10u, list.oldest());
  list.Release(last);
  EXPECT_EQ(10u, list.oldest());
  list.Release(twin);
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace leveldb
