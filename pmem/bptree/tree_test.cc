// Compares what a tree returns with a sorted vector of its entries, under random keys.
#include "pmem/bptree/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "iterator/read_ahead.h"
#include "pmem/bptree/builder.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/tree_testing.h"
#include "testing/comparators.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Scaled;
using testkit::ScratchPool;

class TreeTest : public testing::TestWithParam<std::tuple<const Comparator*, size_t>> {
 protected:
  TreeTest() {
    options_.context.pool = scratch_.pool();
    options_.context.extents = scratch_.extents();
    options_.context.comparator = &comparator_;
    options_.number = 12;
    options_.leaf_bytes = std::get<1>(GetParam());
  }

  // Opens the tree again as a database does for a tree that its manifest names.
  TreePtr Reopen(const TreeRecord& record) {
    TreePtr tree;
    Status status = scratch_.Reopen();
    if (status.ok()) {
      options_.context.pool = scratch_.pool();
      options_.context.extents = scratch_.extents();
      status = Tree::Open(options_.context, record, &tree);
    }
    EXPECT_TRUE(status.ok()) << status.ToString();
    return tree;
  }

  std::string TargetKey(EntryMaker* maker) {
    std::string target;
    AppendInternalKey(&target, maker->UserKey(), maker->random()->Uniform(1 << 20), kSeekType);
    return target;
  }

  void ExpectContents(const Tree& tree, const Entries& entries, EntryMaker* maker) {
    for (const bool verify : {true, false}) {
      const std::unique_ptr<Iterator> iterator(tree.NewIterator(verify));
      ASSERT_FALSE(iterator->Valid());
      WalkAtRandom(iterator.get(), entries, &comparator_, Scaled(400), maker->random(),
                   [&] { return TargetKey(maker); });
    }
    ExpectWalks(tree, entries);
    for (const bool backward : {false, true}) ExpectTheSameReadingAhead(tree, entries, backward);
    for (int i = 0; i < Scaled(1000); i++) ExpectLookups(tree, entries, maker);
    const Status status = tree.Check([](const std::string& finding) { FAIL() << finding; });
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  void ExpectTheSameReadingAhead(const Tree& tree, const Entries& entries, bool backward) {
    ReadAheadHabit habit;
    ReadAhead ahead(&habit);
    const std::unique_ptr<Iterator> iterator(tree.NewIterator(false, &ahead));
    int changes = 0;
    WalkReadingAhead(iterator.get(), entries, backward, &ahead, &changes);
    // The first stretch does not read ahead, and the second tries it.
    EXPECT_EQ(changes > 0, entries.size() >= ReadAhead::kStretch);
  }

  // Iterates from end to end, both ways, and checks the offset of every entry.
  void ExpectWalks(const Tree& tree, const Entries& entries) {
    const std::unique_ptr<Iterator> iterator(tree.NewIterator(true));
    iterator->SeekToFirst();
    uint64_t offset = 0;
    for (size_t i = 0; i < entries.size(); i++, iterator->Next()) {
      ASSERT_TRUE(iterator->Valid()) << iterator->status().ToString();
      ASSERT_EQ(entries[i].first, iterator->key().ToString());
      ASSERT_EQ(entries[i].second, iterator->value().ToString());
      ASSERT_EQ(offset, tree.ApproximateOffset(entries[i].first));
      offset += entries[i].first.size() - kTrailerSize + entries[i].second.size();
    }
    ASSERT_FALSE(iterator->Valid());
    ASSERT_EQ(offset, tree.record().user_bytes);
    iterator->SeekToLast();
    for (size_t i = entries.size(); i-- > 0; iterator->Prev()) {
      ASSERT_TRUE(iterator->Valid());
      ASSERT_EQ(entries[i].first, iterator->key().ToString());
    }
    ASSERT_FALSE(iterator->Valid());
  }

  void ExpectLookups(const Tree& tree, const Entries& entries, EntryMaker* maker) {
    const auto& [key, value] = entries[maker->random()->Uniform(entries.size())];
    const std::string user_key = ExtractUserKey(key).ToString();
    const SequenceNumber sequence = ExtractTrailer(key) >> 8;
    for (const SequenceNumber at : {sequence, sequence - 1, sequence + 1, kMaxSequenceNumber}) {
      if (at > kMaxSequenceNumber) continue;
      ExpectSameHit(ExpectedHit(entries, comparator_, user_key, at), LookUp(tree, user_key, at));
    }
    const std::string other = maker->UserKey();
    ExpectSameHit(ExpectedHit(entries, comparator_, other, sequence),
                  LookUp(tree, other, sequence, false));
  }

  const InternalKeyComparator comparator_{std::get<0>(GetParam())};
  ScratchPool scratch_;
  TreeBuildOptions options_;
};

INSTANTIATE_TEST_SUITE_P(
    ComparatorsAndLeaves, TreeTest,
    testing::Combine(testing::Values(BytewiseComparator(), testkit::ReverseComparator(),
                                     testkit::CaseInsensitiveComparator()),
                     testing::Values(size_t{256}, size_t{768}, kDefaultLeafBytes, kLeafBytesMax)));

TEST_P(TreeTest, ShowsWhatWasPutIn) {
  EntryMaker maker(AnnouncedSeed());
  const Entries entries = maker.Make(comparator_, Scaled(3000));
  TreeRecord record;
  TreePtr tree = BuildTree(options_, entries, &record);
  ASSERT_NE(nullptr, tree);
  EXPECT_EQ(entries.size(), record.entries);
  EXPECT_EQ(entries.front().first, record.smallest.Encode().ToString());
  EXPECT_EQ(entries.back().first, record.largest.Encode().ToString());
  ExpectContents(*tree, entries, &maker);
  tree.reset();
  tree = Reopen(record);
  ASSERT_NE(nullptr, tree);
  ExpectContents(*tree, entries, &maker);
}

TEST_P(TreeTest, TreesOfAFewEntries) {
  EntryMaker maker(AnnouncedSeed());
  for (int round = 0; round < Scaled(30); round++) {
    const Entries entries = maker.Make(comparator_, 1 + maker.random()->Uniform(4));
    const TreePtr tree = BuildTree(options_, entries);
    ASSERT_NE(nullptr, tree);
    ExpectWalks(*tree, entries);
    for (int i = 0; i < 10; i++) ExpectLookups(*tree, entries, &maker);
    ASSERT_TRUE(tree->Check({}).ok());
  }
}

TEST_P(TreeTest, TheEmptyKeyAlone) {
  const TreePtr tree =
      BuildTree(options_, {{InternalKey("", 1, kTypeValue).Encode().ToString(), ""}});
  ASSERT_NE(nullptr, tree);
  EXPECT_EQ(1u, tree->leaf_count());
  EXPECT_TRUE(LookUp(*tree, "", 1).found);
  EXPECT_TRUE(LookUp(*tree, "", kMaxSequenceNumber).found);
  EXPECT_FALSE(LookUp(*tree, "", 0).found);
  EXPECT_FALSE(LookUp(*tree, std::string(1, '\0'), 9).found);
}

// Hundreds of leaves hold only versions of one key, between two other keys.
TEST_P(TreeTest, VersionsOfOneKeyOverManyLeaves) {
  EntryMaker maker(AnnouncedSeed());
  Entries entries;
  const auto add = [&](const std::string& user_key, SequenceNumber sequence, ValueType type) {
    entries.emplace_back(InternalKey(user_key, sequence, type).Encode().ToString(),
                         type == kTypeValue ? "version " + std::to_string(sequence) : "");
  };
  const bool ascends = comparator_.CompareUserKeys("a", "c") < 0;
  add(ascends ? "a" : "c", 5, kTypeValue);
  for (SequenceNumber sequence = 9000; sequence > 0; sequence -= 3) {
    add("b", sequence, sequence % 2 == 0 ? kTypeDeletion : kTypeValue);
  }
  add(ascends ? "c" : "a", 7, kTypeValue);
  const TreePtr tree = BuildTree(options_, entries);
  ASSERT_NE(nullptr, tree);
  EXPECT_TRUE(tree->Check({}).ok());
  for (SequenceNumber sequence = 0; sequence < 9010; sequence++) {
    ExpectSameHit(ExpectedHit(entries, comparator_, "b", sequence), LookUp(*tree, "b", sequence));
  }
  ExpectContents(*tree, entries, &maker);
}

// The entries are larger than extents and leaves, and get runs of their own.
TEST_P(TreeTest, HugeEntriesAmongSmallOnes) {
  EntryMaker maker(AnnouncedSeed());
  Entries entries = maker.Make(comparator_, 200);
  for (const size_t size : {5000, 65536, 300000, 1000000}) {
    entries.emplace_back(
        InternalKey(std::string(size, 'y'), maker.NewSequence(), kTypeValue).Encode().ToString(),
        maker.Bytes(17));
    entries.emplace_back(InternalKey("x" + std::to_string(size), maker.NewSequence(), kTypeValue)
                             .Encode()
                             .ToString(),
                         maker.Bytes(size));
  }
  std::sort(entries.begin(), entries.end(), [this](const auto& a, const auto& b) {
    return comparator_.Compare(a.first, b.first) < 0;
  });
  TreeRecord record;
  TreePtr tree = BuildTree(options_, entries, &record);
  ASSERT_NE(nullptr, tree);
  ExpectContents(*tree, entries, &maker);
  tree.reset();
  tree = Reopen(record);
  ASSERT_NE(nullptr, tree);
  ExpectContents(*tree, entries, &maker);
}

TEST_P(TreeTest, IteratorsStandStillOnTheirOwn) {
  EntryMaker maker(AnnouncedSeed());
  const Entries entries = maker.Make(comparator_, 500);
  const TreePtr tree = BuildTree(options_, entries);
  const std::unique_ptr<Iterator> one(tree->NewIterator(false));
  const std::unique_ptr<Iterator> other(tree->NewIterator(false));
  one->SeekToFirst();
  for (other->SeekToFirst(); other->Valid(); other->Next()) {
    ASSERT_EQ(entries.front().first, one->key().ToString());
  }
  one->Seek(one->key());  // a target that lies in the iterator itself
  ASSERT_EQ(entries.front().first, one->key().ToString());
}

}  // namespace
}  // namespace leveldb
