#include "pmem/bptree/found_trees.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "pmem/bptree/builder.h"
#include "pmem/bptree/retired_trees.h"
#include "pmem/bptree/tree.h"
#include "pmem/bptree/tree_salvage.h"
#include "pmem/bptree/tree_testing.h"
#include "pmem/media/extent_header.h"
#include "pmem/media/extent_search.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::ScratchPool;

constexpr uint64_t kExtent = 64 << 10;

class FoundTreesTest : public testing::Test {
 protected:
  FoundTreesTest() : maker_(AnnouncedSeed()) {}

  TreeBuildOptions BuildOptions(uint64_t number) {
    TreeBuildOptions options;
    options.context.pool = scratch_.pool();
    options.context.extents = scratch_.extents();
    options.context.comparator = &comparator_;
    options.context.retired = &retired_;
    options.number = number;
    return options;
  }

  TreePtr Build(uint64_t number, const Entries& entries, FoundTree* named) {
    TreeRecord record;
    TreePtr tree = BuildTree(BuildOptions(number), entries, &record);
    *named = {record.number, record.salt};
    return tree;
  }

  std::vector<FoundTree> Find() { return FindTrees(*scratch_.pool()); }

  void ForgetRetired() {
    for (const PoolOffset extent : retired_.TakeAll()) scratch_.extents()->Forget(extent);
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  EntryMaker maker_;
  RetiredTrees retired_;
  ScratchPool scratch_{32 << 20, kExtent};
};

TEST_F(FoundTreesTest, AllTreesAreFoundOnceWhateverTheirSize) {
  EXPECT_TRUE(Find().empty());
  std::vector<FoundTree> named(3);
  const TreePtr third = Build(30, maker_.Make(comparator_, 10), &named[2]);
  const TreePtr first = Build(10, maker_.Make(comparator_, 20000), &named[0]);
  const TreePtr second = Build(20, maker_.Make(comparator_, 500), &named[1]);
  EXPECT_EQ(named, Find());
}

// A job that lacks room discards what it has written and starts again later: what it wrote first
// may hold keys that have been deleted by then.
TEST_F(FoundTreesTest, ATreeThatWasNeverFinishedIsNotFoundOnceItIsGivenUp) {
  {
    TreeBuilder builder(BuildOptions(1));
    for (const auto& [key, value] : maker_.Make(comparator_, 20000)) builder.Add(key, value);
    EXPECT_EQ(1u, Find().size());
  }
  EXPECT_TRUE(Find().empty());
}

TEST_F(FoundTreesTest, AForgottenTreeIsNotFound) {
  std::vector<FoundTree> named(2);
  TreePtr first = Build(1, maker_.Make(comparator_, 20000), &named[0]);
  const TreePtr second = Build(2, maker_.Make(comparator_, 500), &named[1]);
  first.reset();
  EXPECT_EQ(named, Find());
  ForgetRetired();
  EXPECT_EQ(std::vector<FoundTree>{named[1]}, Find());
}

TEST_F(FoundTreesTest, AReleasedTreeIsFoundUntilAllThatIsFreeIsForgotten) {
  std::vector<FoundTree> named(2);
  TreePtr first = Build(1, maker_.Make(comparator_, 5000), &named[0]);
  const TreePtr second = Build(2, maker_.Make(comparator_, 500), &named[1]);
  first.reset();
  for (const PoolOffset extent : retired_.TakeAll()) scratch_.extents()->Release(extent);
  EXPECT_EQ(named, Find());
  scratch_.extents()->ForgetFree();
  EXPECT_EQ(std::vector<FoundTree>{named[1]}, Find());
}

// Zeros in the place of the first header, or of more than that, are damage and lose what was stored
// there.
TEST_F(FoundTreesTest, AnErasedHeaderIsForgettingAndZerosAreNot) {
  TreeRecord record;
  const TreeBuildOptions options = BuildOptions(1);
  const TreePtr tree = BuildTree(options, maker_.Make(comparator_, 500), &record);
  EXPECT_FALSE(SeemsForgotten(options.context, record, Find()));
  const std::vector<FoundExtent> runs = FindFirstRuns(*scratch_.pool(), ExtentKind::kTree);
  ASSERT_EQ(1u, runs.size());
  char* const first = scratch_.pool()->At(runs[0].pool_offset);
  const std::string page(first, 4096);
  for (const size_t lost : {ExtentHeader::kSize, size_t{256}, page.size()}) {
    memset(first, 0, lost);
    EXPECT_FALSE(SeemsForgotten(options.context, record, Find())) << lost;
  }
  memcpy(first, page.data(), page.size());
  EraseExtentHeader(scratch_.pool(), runs[0].pool_offset);
  EXPECT_TRUE(SeemsForgotten(options.context, record, Find()));
  memcpy(first, page.data(), page.size());
}

TEST_F(FoundTreesTest, WhatIsHeldIsForgottenWhenItBecomesFree) {
  FoundTree named;
  TreePtr tree = Build(1, maker_.Make(comparator_, 5000), &named);
  scratch_.extents()->HoldReleases(true);
  tree.reset();
  ForgetRetired();
  EXPECT_EQ(1u, Find().size());
  scratch_.extents()->HoldReleases(false);
  EXPECT_TRUE(Find().empty());
}

TEST_F(FoundTreesTest, AFoundTreeIsSavedWithAllItsEntries) {
  const Entries entries = maker_.Make(comparator_, 3000);
  FoundTree named;
  const TreePtr tree = Build(7, entries, &named);
  std::set<std::string> keys;
  TreeContext context;
  context.pool = scratch_.pool();
  context.comparator = &comparator_;
  const Status status = SalvageFoundTree(
      context, named,
      [&keys](const Slice& key, const Slice&) {
        EXPECT_TRUE(keys.insert(key.ToString()).second);
        return Status::OK();
      },
      [](const Status& damage) { ADD_FAILURE() << damage.ToString(); });
  EXPECT_TRUE(status.ok()) << status.ToString();
  std::set<std::string> expected;
  for (const auto& [key, value] : entries) expected.insert(key);
  EXPECT_EQ(expected, keys);
}

}  // namespace
}  // namespace leveldb
