// Compares groups of random trees with one sorted list of all their entries.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "iterator/merging.h"
#include "pmem/bptree/builder.h"
#include "pmem/bptree/tree_testing.h"
#include "pmem/group/group_iter.h"
#include "pmem/group/group_lookup.h"
#include "pmem/group/tree_group.h"
#include "testing/comparators.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Scaled;
using testkit::ScratchPool;

using Keys = std::vector<std::string>;

class GroupTest : public testing::TestWithParam<const Comparator*> {
 protected:
  GroupTest() {
    options_.context.pool = scratch_.pool();
    options_.context.extents = scratch_.extents();
    options_.context.comparator = &comparator_;
    options_.leaf_bytes = 512;
  }

  TreePtr NewTree(const Entries& entries) {
    options_.number++;
    return BuildTree(options_, entries);
  }

  TreePtr NewTree(const Keys& user_keys) {
    Entries entries;
    for (const std::string& user_key : user_keys) {
      entries.emplace_back(InternalKey(user_key, 5, kTypeValue).Encode().ToString(), "v");
    }
    Sort(&entries);
    return NewTree(entries);
  }

  void Sort(Entries* entries) const {
    std::sort(entries->begin(), entries->end(), [this](const auto& a, const auto& b) {
      return comparator_.Compare(a.first, b.first) < 0;
    });
  }

  // Distributes the entries as a history of flushes and merges would: newer versions of a key to
  // higher levels, deeper levels in several trees that share no user key.
  TreeLevels Deal(const Entries& entries, Random* random) {
    std::array<std::vector<Entries>, kGroupLevels> parts;
    parts[0].resize(3);  // the oldest first, so that numbers ascend
    for (int level = 1; level < kGroupLevels; level++) parts[level].resize(1);
    size_t depth = 0;  // where the next older version of the key goes: 0..2 in level 0, then deeper
    for (size_t i = 0; i < entries.size(); i++) {
      const bool is_new_key =
          i == 0 || comparator_.CompareUserKeys(ExtractUserKey(entries[i - 1].first),
                                                ExtractUserKey(entries[i].first)) != 0;
      if (is_new_key) {
        depth = random->Uniform(6);
        for (int level = 1; level < kGroupLevels; level++) {
          if (random->OneIn(200) && !parts[level].back().empty()) parts[level].emplace_back();
        }
      } else if (random->OneIn(3)) {
        depth = std::min<size_t>(depth + 1, 5);
      }
      if (depth < 3) {
        parts[0][2 - depth].push_back(entries[i]);
      } else {
        parts[depth - 2].back().push_back(entries[i]);
      }
    }
    TreeLevels levels;
    for (int level = 0; level < kGroupLevels; level++) {
      for (const Entries& part : parts[level]) {
        if (!part.empty()) levels[level].push_back(NewTree(part));
      }
      std::reverse(levels[level].begin(), levels[level].end());  // Build sorts
    }
    return levels;
  }

  TreeGroupPtr Build(TreeLevels levels) {
    TreeGroupPtr group;
    const Status status = TreeGroup::Build(&comparator_, std::move(levels), &group);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return group;
  }

  std::unique_ptr<Iterator> NewMerged(const TreeGroupPtr& group) {
    std::vector<InternalIterator*> iterators;
    AppendGroupIterators(group, true, nullptr, &iterators);
    return std::unique_ptr<Iterator>(NewMergingIterator(
        KeyOrder(&comparator_, kTrailerSize, comparator_.is_bytewise()), std::move(iterators)));
  }

  const InternalKeyComparator comparator_{GetParam()};
  ScratchPool scratch_;
  TreeBuildOptions options_;
};

INSTANTIATE_TEST_SUITE_P(Comparators, GroupTest,
                         testing::Values(BytewiseComparator(), testkit::ReverseComparator(),
                                         testkit::CaseInsensitiveComparator()));

TEST_P(GroupTest, AnEmptyGroup) {
  const auto group = std::make_shared<const TreeGroup>(&comparator_);
  EXPECT_TRUE(group->empty());
  TreeHit hit;
  ASSERT_TRUE(GroupLookup(*group, LookupKey("k", 1)).Run(true, &hit).ok());
  EXPECT_FALSE(hit.found);
  std::vector<InternalIterator*> iterators;
  AppendGroupIterators(group, true, nullptr, &iterators);
  EXPECT_TRUE(iterators.empty());
  EXPECT_EQ(0u, group->TotalUserBytes());
  for (int level = 0; level < kGroupLevels; level++) {
    EXPECT_FALSE(group->OverlapInLevel(level, nullptr, nullptr));
    EXPECT_TRUE(group->Overlapping(level, nullptr, nullptr).empty());
  }
  EXPECT_EQ(nullptr, group->Candidate(1, "k"));
}

TEST_P(GroupTest, FindsAndShowsWhatItsTreesHold) {
  EntryMaker maker(AnnouncedSeed());
  for (int round = 0; round < Scaled(5); round++) {
    const Entries entries = maker.Make(comparator_, 200 + maker.random()->Uniform(1500));
    const TreeGroupPtr group = Build(Deal(entries, maker.random()));
    ASSERT_NE(nullptr, group);
    uint64_t user_bytes = 0;
    for (const auto& [key, value] : entries) user_bytes += key.size() - kTrailerSize + value.size();
    EXPECT_EQ(user_bytes, group->TotalUserBytes());

    for (int i = 0; i < 2000; i++) {
      const std::string& key = entries[maker.random()->Uniform(entries.size())].first;
      const bool is_known = maker.random()->OneIn(2);
      const std::string user_key = is_known ? ExtractUserKey(key).ToString() : maker.UserKey();
      const SequenceNumber sequence = maker.random()->OneIn(3)
                                          ? kMaxSequenceNumber
                                          : (ExtractTrailer(key) >> 8) + maker.random()->Uniform(3);
      TreeHit hit;
      ASSERT_TRUE(GroupLookup(*group, LookupKey(user_key, sequence)).Run(true, &hit).ok());
      ExpectSameHit(ExpectedHit(entries, comparator_, user_key, sequence), hit);
    }

    const std::unique_ptr<Iterator> merged = NewMerged(group);
    WalkAtRandom(merged.get(), entries, &comparator_, 2000, maker.random(), [&] {
      std::string target;
      AppendInternalKey(&target, maker.UserKey(), maker.random()->Uniform(1 << 20), kSeekType);
      return target;
    });
  }
}

TEST_P(GroupTest, LevelsAreInOrder) {
  TreeLevels levels;
  levels[0] = {NewTree(Keys{"a", "z"}), NewTree(Keys{"m"}), NewTree(Keys{"b", "c"})};
  std::swap(levels[0][0], levels[0][1]);
  levels[2] = {NewTree(Keys{"p", "q"}), NewTree(Keys{"a", "c"}), NewTree(Keys{"e", "g"})};
  const TreeGroupPtr group = Build(levels);
  EXPECT_EQ(6u, group->tree_count());
  for (size_t i = 1; i < 3; i++) {
    EXPECT_GT(group->trees(0)[i - 1]->number(), group->trees(0)[i]->number());
    EXPECT_LT(comparator_.CompareUserKeys(group->trees(2)[i - 1]->largest_user_key(),
                                          group->trees(2)[i]->smallest_user_key()),
              0);
  }
  EXPECT_EQ(5u * 2, group->LevelUserBytes(0));
  EXPECT_GT(group->LevelLeafBytes(2), 0u);
  EXPECT_EQ(0u, group->LevelLeafBytes(1));
}

// Each tree of level 0 is a run, and so is each deeper level that has trees.
TEST_P(GroupTest, RunsAreCounted) {
  EXPECT_EQ(0u, Build(TreeLevels())->run_count());
  TreeLevels levels;
  levels[2] = {NewTree(Keys{"a", "c"}), NewTree(Keys{"e", "g", "i"})};
  TreeGroupPtr group = Build(levels);
  EXPECT_EQ(1u, group->run_count());
  EXPECT_EQ(2, group->first_level());
  EXPECT_EQ(5u, group->read_triggered_entries());
  levels[3] = {NewTree(Keys{"b"})};
  group = Build(levels);
  EXPECT_EQ(2u, group->run_count());
  EXPECT_EQ(6u, group->read_triggered_entries());
  levels[0] = {NewTree(Keys{"a", "z"}), NewTree(Keys{"m"})};
  group = Build(levels);
  EXPECT_EQ(4u, group->run_count());
  EXPECT_EQ(0, group->first_level());
  EXPECT_EQ(3u, group->read_triggered_entries());  // nothing is in level 1
  EXPECT_EQ(5u, group->tree_count());
}

TEST_P(GroupTest, DeeperLevelsMayNotOverlap) {
  for (const auto& [one, other] : std::vector<std::pair<Keys, Keys>>{
           {{"a", "c"}, {"c", "d"}}, {{"a", "z"}, {"m"}}, {{"m"}, {"m"}}}) {
    TreeLevels levels;
    levels[1] = {NewTree(one), NewTree(other)};
    TreeGroupPtr group;
    EXPECT_TRUE(TreeGroup::Build(&comparator_, levels, &group).IsCorruption());
    std::swap(levels[0], levels[1]);
    EXPECT_TRUE(TreeGroup::Build(&comparator_, levels, &group).ok());
  }
}

// Compares the results with a search of every tree.
TEST_P(GroupTest, OverlapsAndPlacesAreFound) {
  Random random(AnnouncedSeed());
  TreeLevels levels;
  for (int tree = 0; tree < 40; tree++) {
    const int first = tree * 10 + static_cast<int>(random.Uniform(3));
    const int last = first + static_cast<int>(random.Uniform(7));
    Keys user_keys = {std::to_string(10000 + first)};
    if (last != first) user_keys.push_back(std::to_string(10000 + last));
    const TreePtr made = NewTree(user_keys);
    levels[3].push_back(made);
    if (tree % 3 == 0) levels[0].push_back(made);
  }
  const TreeGroupPtr group = Build(levels);
  for (int i = 0; i < 2000; i++) {
    std::string low = std::to_string(9990 + random.Uniform(430));
    std::string high = std::to_string(9990 + random.Uniform(430));
    if (comparator_.CompareUserKeys(low, high) > 0) std::swap(low, high);
    const Slice low_slice = low;
    const Slice high_slice = high;
    const Slice* const begin = random.OneIn(5) ? nullptr : &low_slice;
    const Slice* const end = random.OneIn(5) ? nullptr : &high_slice;
    for (const int level : {0, 3}) {
      TreeList expected;
      for (const TreePtr& tree : group->trees(level)) {
        const bool before =
            begin != nullptr && comparator_.CompareUserKeys(tree->largest_user_key(), *begin) < 0;
        const bool after =
            end != nullptr && comparator_.CompareUserKeys(tree->smallest_user_key(), *end) > 0;
        if (!before && !after) expected.push_back(tree);
      }
      ASSERT_EQ(expected, group->Overlapping(level, begin, end));
      ASSERT_EQ(!expected.empty(), group->OverlapInLevel(level, begin, end));
    }
    const std::string target = InternalKey(low, random.Uniform(10), kTypeValue).Encode().ToString();
    size_t index = 0;
    for (const TreePtr& tree : group->trees(3)) {
      index += comparator_.Compare(tree->record().largest.Encode(), target) < 0;
    }
    ASSERT_EQ(index, group->FindTree(3, target));
    for (const TreePtr& tree : group->trees(3)) {
      const bool holds = comparator_.CompareUserKeys(tree->smallest_user_key(), low) <= 0 &&
                         comparator_.CompareUserKeys(tree->largest_user_key(), low) >= 0;
      if (holds) {
        ASSERT_EQ(tree.get(), group->Candidate(3, low));
      }
    }
  }
}

// Iterators outlive the group they came from, and its trees.
TEST_P(GroupTest, IteratorsKeepTheirTrees) {
  TreeLevels levels;
  levels[0] = {NewTree(Keys{"b"})};
  levels[1] = {NewTree(Keys{"a"}), NewTree(Keys{"c"})};
  TreeGroupPtr group = Build(std::move(levels));
  levels = {};
  std::unique_ptr<Iterator> merged = NewMerged(group);
  group.reset();
  EXPECT_GT(scratch_.extents()->used_bytes(), 0u);
  int seen = 0;
  for (merged->SeekToFirst(); merged->Valid(); merged->Next()) seen++;
  EXPECT_EQ(3, seen);
  merged.reset();
  EXPECT_EQ(0u, scratch_.extents()->used_bytes());
}

// Trees below one that can't be read may hold older versions: the search does not continue there.
TEST_P(GroupTest, ADamagedTreeEndsALookup) {
  TreeLevels levels;
  levels[1] = {NewTree(Keys{"k"})};
  const TreePtr upper = NewTree(Keys{"k"});
  levels[0] = {upper};
  const TreeGroupPtr group = Build(levels);
  TreeHit hit;
  ASSERT_TRUE(GroupLookup(*group, LookupKey("k", 9)).Run(true, &hit).ok());
  ASSERT_TRUE(hit.found);
  char* const value = const_cast<char*>(hit.value.data());
  *value = 'x';
  const Status status = GroupLookup(*group, LookupKey("k", 9)).Run(true, &hit);
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_FALSE(hit.found);

  std::vector<InternalIterator*> iterators;
  AppendGroupIterators(group, true, nullptr, &iterators);
  ASSERT_EQ(2u, iterators.size());
  for (Iterator* iterator : iterators) iterator->SeekToFirst();
  EXPECT_TRUE(iterators[0]->status().IsCorruption());
  EXPECT_TRUE(iterators[1]->Valid());
  for (Iterator* iterator : iterators) delete iterator;
}

// An iterator over a level skips a damaged tree, and reports the error.
TEST_P(GroupTest, AWalkOverALevelNamesADamagedTree) {
  TreeList trees = {NewTree(Keys{"a"}), NewTree(Keys{"b"}), NewTree(Keys{"c"})};
  if (comparator_.CompareUserKeys("a", "b") > 0) std::swap(trees[0], trees[2]);
  TreeHit hit;
  ASSERT_TRUE(trees[1]->Get(LookupKey("b", 9), HashKey64("b"), false, &hit).ok());
  *const_cast<char*>(hit.value.data()) = 'x';
  const std::unique_ptr<Iterator> iterator(NewTreeListIterator(&comparator_, trees, true));
  int seen = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) seen++;
  EXPECT_EQ(2, seen);
  EXPECT_TRUE(iterator->status().IsCorruption());
  seen = 0;
  for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) seen++;
  EXPECT_EQ(2, seen);
  EXPECT_TRUE(iterator->status().IsCorruption());
  const std::unique_ptr<Iterator> trusting(NewTreeListIterator(&comparator_, trees, false));
  seen = 0;
  for (trusting->SeekToFirst(); trusting->Valid(); trusting->Next()) seen++;
  EXPECT_EQ(3, seen);
  EXPECT_TRUE(trusting->status().ok());
}

}  // namespace
}  // namespace leveldb
